// Moving through a log: first, back, next, last, by phase, at a speed; free of spoilers unless they are wanted.

import { html, svg } from './svg.js'

// Icons as paths in a square of 24, so that no font has to have them.
const ICONS = {
  first: 'M5 5h3v14H5zM20 5v14L9 12z',
  'phase-back': 'M12 5v14L2 12zM22 5v14L12 12z',
  back: 'M17 5v14L6 12z',
  play: 'M7 5v14l12-7z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  next: 'M7 5v14l11-7z',
  'phase-next': 'M12 5v14l10-7zM2 5v14l10-7z',
  last: 'M16 5h3v14h-3zM4 5v14l11-7z',
}
const iconOf = (name) => svg('svg', { viewBox: '0 0 24 24', class: 'glyph', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] }))

const SPEEDS = [['Slow', 1600], ['Normal', 700], ['Fast', 250], ['Fastest', 60]]
const WANTS_END = 'landsraad.show-end'

export class Scrubber {
  // `seek` is called with an entry; `live` is true while the match goes on.
  constructor(node, timeline, { seek, live, toLive = null }) {
    this.node = node
    this.timeline = timeline
    this.seek = seek
    this.live = live
    this.timer = null
    // A match that goes on has no end to spoil.
    this.open = live || recall(WANTS_END) === 'yes'
    const button = (id, label, action) => html('button', { type: 'button', id: `scrub-${id}`, 'aria-label': label, title: label, onclick: () => this.#step(action) }, iconOf(id))
    this.playing = button('play', 'Play', () => this.toggle())
    this.speed = html('select', { id: 'scrub-speed', 'aria-label': 'Speed' }, SPEEDS.map(([name, ms]) => html('option', { value: ms, text: name })))
    this.speed.value = '700'
    this.slider = html('input', { type: 'range', id: 'scrub-slider', 'aria-label': 'Entry of the log', step: 1, oninput: () => this.#go(Number(this.slider.value)) })
    this.where = html('output', { id: 'scrub-where' })
    this.end = button('last', 'Last', () => timeline.last)
    this.reveal = html('button', { type: 'button', id: 'scrub-reveal', class: 'quiet', onclick: () => this.#toggleEnd() })
    this.now = toLive ? html('button', { type: 'button', id: 'scrub-live', text: 'Back to now', onclick: () => { this.stop(); toLive() } }) : null
    node.append(
      html('div', { class: 'scrub-buttons' },
        button('first', 'First', () => timeline.first),
        button('phase-back', 'Phase before', () => timeline.phaseBefore(timeline.number)),
        button('back', 'Back', () => this.#stop(-1)),
        this.playing,
        button('next', 'Next', () => this.#stop(1)),
        button('phase-next', 'Next phase', () => timeline.nextPhase(timeline.number)),
        this.end, this.speed, live ? null : this.reveal, this.now),
      this.slider, this.where)
    this.show()
  }

  #step(action) {
    const wanted = action()
    if (wanted === undefined) return
    this.stop()
    this.#go(wanted)
  }

  #go(number) {
    this.seek(number)
    this.show()
  }

  // The next entry at which the public step changes: in between, things are half done.
  #stop(direction) {
    const { number, steps, first, last } = this.timeline
    if (direction > 0) return steps.find((step) => step > number) ?? last
    return steps.findLast((step) => step < number) ?? first
  }

  toggle() {
    if (this.timer) this.stop()
    else {
      this.#tick()
      this.show()
    }
    return undefined
  }

  #tick() {
    if (this.timeline.number >= this.timeline.last) {
      this.stop()
      return
    }
    this.timer = setTimeout(() => {
      this.#go(this.#stop(1))
      this.#tick()
    }, Number(this.speed.value))
  }

  stop() {
    clearTimeout(this.timer)
    this.timer = null
    this.show()
  }

  #toggleEnd() {
    this.open = !this.open
    remember(WANTS_END, this.open ? 'yes' : 'no')
    this.show()
    this.node.dispatchEvent(new CustomEvent('spoilers', { detail: { open: this.open } }))
  }

  show() {
    const { timeline } = this
    this.slider.hidden = !this.open
    this.end.hidden = !this.open
    this.slider.min = timeline.first
    this.slider.max = timeline.last
    this.slider.value = timeline.number
    this.slider.setAttribute('aria-valuetext', `entry ${timeline.number}`)
    this.where.textContent = this.open ? `${timeline.number} / ${timeline.last}` : `entry ${timeline.number}`
    this.reveal.textContent = this.open ? 'Hide the end' : 'Show the end'
    const label = this.timer ? 'Pause' : 'Play'
    if (this.playing.getAttribute('aria-label') !== label || !this.drawn) {
      this.playing.setAttribute('aria-label', label)
      this.playing.title = label
      this.playing.replaceChildren(iconOf(label.toLowerCase()))
      this.drawn = true
    }
    if (this.now) this.now.hidden = timeline.number === timeline.last
  }
}

function recall(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null // storage is off
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {
    // storage is off
  }
}
