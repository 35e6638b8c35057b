// The event stream of a match. It resumes from its cursor, and a hidden tab closes its own.
//
// A browser allows six streams for a host. So a tab that is hidden for some seconds gives its stream back, and goes on
// from its cursor when it is shown again: nothing is missed and nothing comes twice.

const KINDS = ['match', 'snapshot', 'entry', 'clock', 'plays', 'presence', 'ack', 'rewound', 'closed', 'talk']
const HIDDEN_MS = 5_000
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 15_000
// Ends after which there is nothing to come back for.
const FINAL = new Set(['over', 'replaced', 'revoked', 'unsubscribed'])

export class Stream {
  // `on` is called with the kind and the data of each event, and with "state": "open", "lost", "hidden" or "closed".
  constructor(address, on) {
    this.address = address
    this.on = on
    this.cursor = ''
    this.ended = false
    this.wait = FIRST_WAIT_MS
    this.onVisibility = () => this.#visibility()
    this.onOnline = () => this.#again(0)
    document.addEventListener('visibilitychange', this.onVisibility)
    addEventListener('online', this.onOnline)
    this.#open()
  }

  close() {
    this.ended = true
    clearTimeout(this.timer)
    clearTimeout(this.hiding)
    this.source?.close()
    document.removeEventListener('visibilitychange', this.onVisibility)
    removeEventListener('online', this.onOnline)
  }

  #open() {
    if (this.ended) return
    this.source?.close()
    const join = this.address.includes('?') ? '&' : '?'
    const source = new EventSource(this.cursor ? `${this.address}${join}from=${encodeURIComponent(this.cursor)}` : this.address)
    this.source = source
    source.onopen = () => {
      if (source !== this.source) return
      this.wait = FIRST_WAIT_MS
      this.on('state', 'open')
    }
    source.onerror = () => {
      if (source !== this.source || this.ended) return
      this.on('state', 'lost')
      // The browser opens a broken stream again by itself, except after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) this.#again(this.wait)
    }
    for (const kind of KINDS)
      source.addEventListener(kind, (event) => {
        if (source !== this.source) return
        if (event.lastEventId) this.cursor = event.lastEventId
        this.#take(kind, JSON.parse(event.data))
      })
  }

  #take(kind, data) {
    if (kind === 'rewound') this.cursor = ''
    if (kind === 'closed') {
      this.source.close()
      if (FINAL.has(data.reason)) this.close()
      else this.#again(this.wait)
      this.on('state', this.ended ? 'closed' : 'lost')
    }
    this.on(kind, data)
  }

  #again(wait) {
    if (this.ended || this.source?.readyState === EventSource.OPEN) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.#open(), wait)
    this.wait = Math.min(this.wait * 2, LAST_WAIT_MS)
  }

  #visibility() {
    clearTimeout(this.hiding)
    if (document.hidden)
      this.hiding = setTimeout(() => {
        this.asleep = true
        this.source?.close()
        this.on('state', 'hidden')
      }, HIDDEN_MS)
    else if (this.asleep) {
      this.asleep = false
      this.#open()
    }
  }
}
