// A log in memory: the position at any entry, with a checkpoint of the fold every 64 entries.

import { Fold } from './fold.js'

const EVERY = 64
// Frames between the rounds of a turn: they begin no phase.
const BETWEEN = new Set(['OfferPlays', 'Moment'])

export class Timeline {
  constructor(layout, seat, observation = null) {
    this.layout = layout
    this.fold = observation ? Fold.from(layout, seat, observation) : new Fold(layout, seat)
    // The first entries are not at hand if the log begins with a snapshot.
    this.first = this.fold.number
    this.entries = []
    this.saved = [this.fold.save()]
    // Where a phase begins: {number, name, turn}; and the entries that told a new step.
    this.phases = []
    this.steps = []
  }

  get last() {
    return this.first + this.entries.length
  }

  get number() {
    return this.fold.number
  }

  entry(number) {
    return this.entries[number - this.first - 1]
  }

  // Add an entry at the end. A fold that stands there goes along.
  push(entry) {
    const follows = this.fold.number === this.last
    this.entries.push(entry)
    if (entry.step) this.#note(entry.step)
    if (follows) {
      this.fold.add(entry)
      this.#save()
    }
    return follows
  }

  #note(step) {
    this.steps.push(this.last)
    const frames = step.frames ?? []
    const name = (frames[2] ?? frames[1])?.name
    const before = this.phases.at(-1)
    if (name && !BETWEEN.has(name) && name !== before?.name) this.phases.push({ number: this.last, name })
  }

  #save() {
    const at = this.fold.number - this.first
    if (at % EVERY === 0 && !this.saved[at / EVERY]) this.saved[at / EVERY] = this.fold.save()
  }

  // Move the fold to an entry.
  seek(number) {
    const wanted = Math.max(this.first, Math.min(number, this.last))
    if (wanted === this.fold.number) return
    const block = Math.min(Math.floor((wanted - this.first) / EVERY), this.saved.length - 1)
    const begin = this.first + block * EVERY
    if (wanted < this.fold.number || begin > this.fold.number) this.fold.restore(this.saved[block])
    while (this.fold.number < wanted) {
      this.fold.add(this.entry(this.fold.number + 1))
      this.#save()
    }
  }

  phaseAt(number) {
    let found = null
    for (const phase of this.phases) {
      if (phase.number > number) break
      found = phase
    }
    return found
  }

  nextPhase(number) {
    return this.phases.find((phase) => phase.number > number)?.number ?? this.last
  }

  phaseBefore(number) {
    return this.phases.findLast((phase) => phase.number < number)?.number ?? this.first
  }

  // How many public steps there are up to an entry: the logs of all seats have the same ones.
  stepsAt(number) {
    let count = 0
    while (count < this.steps.length && this.steps[count] <= number) count += 1
    return count
  }

  // The entry of the n-th public step.
  atStep(count) {
    return count > 0 ? (this.steps[count - 1] ?? this.last) : this.first
  }
}
