// Playing a seat: questions as they come, acts that count once, clocks, orders, and the waiting room before the match.

import { postUntilAnswered } from './api.js'
import { Composer } from './ask.js'
import { Clocks } from './clocks.js'
import { readGraphs } from './domains.js'
import { readOptions } from './grammar.js'
import { addPlayingKeys } from './keys.js'
import { Orders } from './orders.js'
import { listed } from './names.js'
import { encode } from './values.js'
import { html } from './svg.js'
import { waitingRoom } from './waiting_room.js'

const number = (text) => Number(text ?? 0)
const isOver = (refused) => refused.reason === 'stale' || refused.reason === 'over'
const generic = (act, fields) => ({ generic: { name: act, fields: Object.entries(fields).map(([name, value]) => ({ name, value: encode(value) })) } })
const soon = (run) => (document.hidden ? setTimeout(run) : requestAnimationFrame(() => setTimeout(run)))

// Play the match that the page shows, if a seat of it is the visitor's own.
export function attachPlay(root, id) {
  let seat = null
  root.addEventListener('table', ({ detail }) => {
    const { table, match } = detail
    if (match.state === 'MATCH_STATE_OPEN') waitingRoom(root, match, detail.seats)
    if (detail.seat === null || table.mode !== 'live' || seat) return
    seat = new PlayedSeat(root, id, table, detail.seat)
    root.playing = seat
    for (const [kind, data] of early.splice(0)) seat.take(kind, data)
  })
  const early = []
  root.addEventListener('stream', ({ detail: { kind, data } }) => {
    if (kind === 'match' && root.querySelector('.waiting-room')) {
      if (data.state === 'MATCH_STATE_OPEN') waitingRoom(root, data, null)
      else root.querySelector('.waiting-room').remove()
    }
    if (seat) seat.take(kind, data)
    else early.push([kind, data])
  })
}

class PlayedSeat {
  constructor(root, id, table, number_) {
    this.root = root
    this.table = table
    this.seat = number_
    this.address = `/api/matches/${id}/seats/${number_}`
    this.lastSeq = 0
    this.question = null
    this.answered = 0
    this.plays = null
    this.offered = ''
    this.shown = ''
    this.during = 0
    this.passingOn = null
    this.graphs = readGraphs(table.catalog.graphs)
    this.prompt = table.part('prompt')
    const parts = { board: table.board, speech: table.speech }
    this.composer = new Composer(table.part('ask'), table.catalog, {
      ...parts, submit: (act, fields, say) => this.#answer(act, fields, say),
    })
    const plays = html('div', {})
    this.playsPanel = html('section', { class: 'panel plays', 'aria-label': 'Plays out of turn', hidden: true },
      html('details', {}, html('summary', { text: 'Out of turn' }), plays))
    this.prompt.after(this.playsPanel)
    this.playComposer = new Composer(plays, table.catalog, {
      ...parts, board: null, submit: (act, fields, say) => this.#play(act, fields, say),
    })
    this.clocks = new Clocks(table.part('clock'), table)
    this.orders = new Orders(table, (orders) => this.#send('orders', { orders }))
    addPlayingKeys(this)
  }

  // --- events

  take(kind, data) {
    if (kind === 'snapshot') {
      this.lastSeq = Math.max(this.lastSeq, number(data.lastSeq))
      this.#setQuestion(data.question ?? null)
    } else if (kind === 'entry') {
      if (data.question) this.#setQuestion(data.question)
      else if ('answer' in data || 'withdrawn' in data) this.#setQuestion(null)
    } else if (kind === 'ack') this.lastSeq = Math.max(this.lastSeq, data.seq)
    else if (kind === 'rewound') this.answered = 0
    else if (kind === 'clock') this.clocks.set(data)
    else if (kind === 'plays') {
      this.plays = data.options?.choices?.length ? data.options : null
      this.during = number(data.during)
      this.#later()
    } else if (kind === 'closed') this.#setQuestion(null)
  }

  #setQuestion(question) {
    this.question = question && number(question.decisionId) !== this.answered ? question : null
    this.#later()
  }

  // Draw once all entries of a frame have been read.
  #later() {
    if (this.due) return
    this.due = true
    soon(() => {
      this.due = false
      this.show()
    })
  }

  show() {
    const { question } = this
    if (!this.composer.sending && this.shown !== (question?.decisionId ?? '')) {
      this.shown = question?.decisionId ?? ''
      if (question)
        this.composer.ask(readOptions(question.options, this.graphs), {
          rule: question.rule, reaction: question.window ? this.#lastWords() : '',
        })
      else this.composer.clear()
      if (question && this.#passes()) return
    }
    this.#offerPlays()
  }

  #lastWords() {
    return this.table.log.lines.filter((line) => !line.phase).slice(-2).map((line) => line.words).join('. ')
  }

  // Out-of-turn plays have a panel of their own, folded until it is wanted.
  #offerPlays() {
    const key = this.plays ? `${this.during} ${JSON.stringify(this.plays)}` : ''
    if (key === this.offered || this.playComposer.sending) return
    this.offered = key
    this.playsPanel.hidden = !this.plays
    if (!this.plays) {
      this.playComposer.clear()
      return
    }
    const names = [...new Set(this.plays.choices.map((choice) => choice.act))].map((name) => this.composer.words.act(name))
    this.playsPanel.querySelector('summary').textContent = `Out of turn: ${listed(names)}`
    this.playComposer.ask(readOptions(this.plays, this.graphs), { rule: this.table.fold.step?.rule ?? '', reaction: '' })
  }

  // --- acting

  // Answer the question; returns the refusal, if there is one.
  async #answer(act, fields, say) {
    const decision = number(this.question?.decisionId)
    const refused = await this.#send('acts', { act: generic(act, fields), decision }, say)
    if (refused && !isOver(refused)) return refused
    this.answered = Math.max(this.answered, decision)
    if (number(this.question?.decisionId) === decision) this.question = null
    this.composer.clear()
    this.shown = ''
    this.#later()
    return null
  }

  async #play(act, fields, say) {
    const refused = await this.#send('acts', { act: generic(act, fields), during: this.during }, say)
    if (!refused || isOver(refused)) this.playsPanel.firstElementChild.open = false
    else return refused
    this.playComposer.clear()
    this.offered = null
    this.#later()
    return null
  }

  // Send an input; it counts once. Returns the refusal, if there is one.
  async #send(what, body, say = () => {}) {
    const run = async () => {
      const whole = { seq: this.lastSeq + 1, ...body }
      try {
        const told = await postUntilAnswered(`${this.address}/${what}`, whole, () => say('No answer; trying again …'))
        if (told.refusal) {
          if (told.refusal.reason === 'superseded') this.lastSeq += 1
          return told.refusal
        }
        this.lastSeq = Math.max(this.lastSeq, told.ack.seq)
        return null
      } catch (error) {
        return error.error?.message ? error.error : { reason: 'failed', message: error.message }
      }
    }
    this.queue = (this.queue ?? Promise.resolve()).then(run)
    return this.queue
  }

  pass() {
    const act = this.composer.passing()
    if (this.question && act) this.composer.answer(act)
    else this.table.speech.urgent('You cannot pass here')
  }

  // Pass until something else is asked, or something happens that is about this seat.
  passOn() {
    this.passingOn = this.passingOn ? null : { rule: this.question?.rule, side: this.table.fold.places.get(`side/${this.seat}`) }
    this.table.speech.urgent(this.passingOn ? 'You pass until something changes' : 'You are asked again')
    if (this.passingOn) this.pass()
  }

  #passes() {
    if (!this.passingOn) return false
    const act = this.composer.passing()
    if (!act || this.question.rule !== this.passingOn.rule) {
      this.passingOn = null
      return false
    }
    this.composer.answer(act)
    return true
  }

  async resign() {
    await postUntilAnswered(`/api/matches/${this.address.split('/')[3]}/resign`, { seat: this.seat })
  }
}
