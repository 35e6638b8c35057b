// The table of a match: watched live, played, or replayed. It joins log, board, tables, hand and scrubber.

import { AreaList } from './areas.js'
import { ArrakisTable } from './arrakis_table.js'
import { Board } from './board.js'
import { addBoardTools, addReadingKeys } from './board_tools.js'
import { DuneTable } from './dune_table.js'
import { Layout } from './fold.js'
import { Hand } from './hand.js'
import { legend } from './legend.js'
import { Log } from './log.js'
import { capital, humanised, listed } from './names.js'
import { otherFacts } from './other_facts.js'
import { Prompt } from './prompt.js'
import { Scrubber } from './scrub.js'
import { Speech } from './speech.js'
import { Teller } from './sentences.js'
import { Timeline } from './timeline.js'

const TABLES = { dune: DuneTable, arrakis: ArrakisTable }
const PRESENCE = { PRESENCE_AWAY: 'away', PRESENCE_RESIGNED: 'resigned' }
// Moves of the last entries that are drawn as arrows.
const RECENT = 14
const AREA_OF = /^(?:at|legion|worm)\/(?:[^/]+\/)?([^/]+)$/

class PlainTable {
  shown = /^$/
  heading = () => ''
  tables = () => []
}

export class Table extends EventTarget {
  // `root` is the part of the page for a match; `mode` is "live" or "replay".
  constructor(root, { catalog, match, seat, mode, layout = null, observation = null }) {
    super()
    this.root = root
    this.catalog = catalog
    this.match = match
    this.seat = seat
    this.mode = mode
    this.layout = new Layout(layout ?? catalog.message.layout)
    this.speech = new Speech(document.getElementById('say-now'), document.getElementById('say-soon'))
    this.board = new Board(catalog, this.layout)
    this.beside = new (TABLES[catalog.game] ?? PlainTable)(catalog)
    this.part('board-frame').replaceChildren(this.board.node)
    this.hand = new Hand(this.part('hand'), catalog)
    this.prompt = new Prompt(this)
    this.areas = new AreaList(this.part('areas'), this.board, {
      choose: (area) => this.board.node.dispatchEvent(new CustomEvent('choose', { detail: { area }, bubbles: true })),
      point: (area) => this.#point(area),
    })
    this.board.node.addEventListener('point', ({ detail }) => this.#point(detail.area))
    this.log = new Log(this.part('log').querySelector('.panel-body'), {
      catalog, board: this.board, jump: (number) => this.goTo(number),
    })
    this.part('legend').replaceChildren(...legend(catalog))
    this.#arrange()
    addBoardTools(this)
    addReadingKeys(this)
    this.begin(observation)
  }

  // Beside a low board there is room for the log under it; a phone has the hand there.
  #arrange() {
    const { width, height } = this.board.geometry
    const wide = matchMedia('(min-width: 1000px)')
    const arrange = () => {
      const log = this.part('log')
      if (wide.matches && height < width * 0.85) this.root.querySelector('.board-area').append(log)
      else this.root.querySelector('#tables').after(log)
    }
    wide.addEventListener('change', arrange)
    arrange()
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`)
  }

  // Begin a log anew: at its first entry, or at an observation.
  begin(observation = null) {
    this.timeline = new Timeline(this.layout, this.seat, observation)
    this.teller = new Teller(this.catalog, this.#sides())
    this.log.clear()
    this.part('scrub').replaceChildren()
    this.scrubber = new Scrubber(this.part('scrub'), this.timeline, {
      live: this.mode === 'live',
      seek: (number) => this.goTo(number, { speak: true }),
      toLive: this.mode === 'live' ? () => this.goTo(this.timeline.last) : null,
    })
    this.scrubber.node.addEventListener('spoilers', () => this.render())
    // Nothing of before stands any more.
    this.drawn = false
  }

  get fold() {
    return this.timeline.fold
  }

  // True if the board shows the present of a live match, and the end of a log that is loaded.
  get following() {
    return this.timeline.number === this.timeline.last
  }

  // Add entries at the end; `quiet` without announcements.
  push(entries, { quiet = false } = {}) {
    const told = []
    for (const entry of entries) {
      const phases = this.timeline.phases.length
      this.timeline.push(entry)
      const number = this.timeline.last
      if (this.timeline.phases.length > phases) this.log.phase(number, this.timeline.phases.at(-1).name)
      const line = this.teller.tell(entry)
      if (!line) continue
      this.log.add(number, line)
      told.push(line.words)
    }
    if (!quiet) for (const words of told) this.speech.polite(words)
    if (this.following) this.render()
    else this.scrubber.show()
  }

  // Show the position after an entry.
  goTo(number, { speak = false } = {}) {
    this.timeline.seek(number)
    this.render()
    if (speak) {
      const line = this.log.lines.findLast((each) => each.number <= this.timeline.number && !each.phase)
      if (line) this.speech.polite(line.words)
    }
    this.dispatchEvent(new CustomEvent('position', { detail: { number: this.timeline.number } }))
  }

  #sides() {
    const sides = new Map()
    for (const [key, side] of this.timeline.fold.places) if (key.startsWith('side/')) sides.set(Number(key.slice(5)), side)
    return sides
  }

  // The seats with their sides and players.
  seats() {
    const sides = this.#sides()
    return (this.match?.seats ?? []).map((seat, at) => {
      const number = Number(seat.number ?? at)
      const state = PRESENCE[seat.presence]
      const player = seat.player || (seat.fill === 'SEAT_FILL_HOUSE_BOT' ? seat.houseBot || 'house bot' : '')
      return { number, side: sides.get(number), player: state && this.mode === 'live' ? `${player} (${state})` : player }
    })
  }

  // The side that a seat plays; of a side that several seats share, the part of this one.
  name(seat) {
    const sides = this.#sides()
    const side = sides.get(seat)
    if (!side) return `seat ${seat + 1}`
    const shared = [...sides.values()].filter((other) => other === side).length > 1
    if (!shared) return this.catalog.title(side)
    const parts = this.fold.places.get(`powers/${seat}`)
    return parts?.length ? listed(parts.map((part) => this.catalog.title(part))) : `${this.catalog.title(side)}, seat ${seat + 1}`
  }

  setMatch(match) {
    this.match = match
    this.render()
  }

  // --- drawing

  render() {
    const { fold } = this
    const changed = fold.changed
    fold.changed = new Set()
    const first = !this.drawn
    if (first) this.board.update(fold)
    else if (changed.size) this.board.update(fold, changed)
    this.drawn = true
    const touched = first ? this.board.shapes.keys() : this.board.contents.changed(fold, changed)
    const asked = new Set((fold.step?.seats ?? []).map(Number))
    this.#status(fold, asked)
    this.hand.update(fold)
    this.prompt.update(fold, this.following)
    this.areas.update([...touched])
    this.part('tables').replaceChildren(...this.beside.tables(fold, { seats: this.seats(), asked }))
    this.part('other').querySelector('.panel-body').replaceChildren(otherFacts(fold, this.catalog, this.beside.shown))
    this.log.show(this.timeline.number)
    this.board.showMoves(this.#recentMoves())
    this.scrubber.show()
    this.root.classList.toggle('looking-back', this.mode === 'live' && !this.following)
  }

  #status(fold, asked) {
    const phase = this.timeline.phaseAt(this.timeline.number)?.name ?? (fold.step?.frames?.[2] ?? fold.step?.frames?.[1])?.name
    const result = fold.places.get('result')
    const heading = [this.beside.heading(fold), phase && capital(humanised(phase))].filter(Boolean)
    this.part('turn').textContent = heading.join(' · ')
    const waiting = result
      ? this.#ending(result)
      : asked.size ? `${capital(listed([...asked].map((seat) => this.name(seat))))} to move` : ''
    this.part('waiting').textContent = waiting
    const rule = fold.step?.rule
    const statement = rule && this.catalog.rule(rule)
    this.part('rule').textContent = rule ? `${rule}${statement ? `: ${statement.text}` : ''}` : ''
    this.root.classList.toggle('my-turn', this.seat !== null && asked.has(this.seat) && this.mode === 'live')
  }

  #ending([ending, winners]) {
    const names = [...new Set((winners ?? []).map((seat) => this.name(seat)))]
    return `Over: ${this.catalog.title(ending)}, ${names.length ? listed(names) : 'nobody'} ${names.length > 1 ? 'win' : 'wins'}`
  }

  // Moves between areas in the last entries before the position.
  #recentMoves() {
    const moves = []
    for (let number = this.timeline.number; number > Math.max(this.timeline.first, this.timeline.number - RECENT); number -= 1) {
      const entry = this.timeline.entry(number)
      const shift = (entry.event ?? entry.aside)?.shift
      const [from, to] = [AREA_OF.exec(shift?.source ?? '')?.[1], AREA_OF.exec(shift?.target ?? '')?.[1]]
      if (from && to && this.catalog.areas.has(from) && this.catalog.areas.has(to)) moves.push([from, to])
    }
    return moves
  }

  #point(area) {
    this.part('pointed').textContent = area ? this.board.describe(area) : ''
  }
}
