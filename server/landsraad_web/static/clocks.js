// Clocks: one's own time for the question and in the bank, and the time of the others where it is told.

import { many } from './names.js'

const TICK_MS = 500
const LOW_MS = 15_000

const said = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return seconds < 60 ? many(seconds, 'second') : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export class Clocks {
  constructor(node, table) {
    this.node = node
    this.table = table
    this.clock = null
  }

  set(clock) {
    this.clock = clock
    this.since = performance.now()
    clearInterval(this.timer)
    if (clock.limited && Number(clock.decisionId ?? 0)) this.timer = setInterval(() => this.#write(), TICK_MS)
    this.#write()
  }

  #write() {
    const { clock } = this
    if (!clock?.limited) {
      this.node.textContent = ''
      return
    }
    const running = Number(clock.decisionId ?? 0) > 0
    const used = running ? performance.now() - this.since : 0
    const free = Math.max(0, (clock.decisionMs ?? 0) - used)
    const bank = Math.max(0, (clock.bankMs ?? 0) - Math.max(0, used - (clock.decisionMs ?? 0)))
    const parts = running ? [`Your time: ${said(free + bank)}`] : [`Your bank: ${said(bank)}`]
    for (const other of clock.others ?? []) parts.push(`${this.table.name(other.seat ?? 0)}: ${said((other.decisionMs ?? 0) + (other.bankMs ?? 0))}`)
    this.node.textContent = parts.join(' · ')
    this.node.classList.toggle('low', running && free + bank < LOW_MS)
  }
}
