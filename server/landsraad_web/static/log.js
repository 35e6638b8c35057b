// The log in sentences, with phases. Pointing at a line shows its places; its rule opens on demand.

import { humanised, capital } from './names.js'
import { html } from './svg.js'

const SHOWN = 150

export class Log {
  constructor(node, { catalog, board, jump = null }) {
    this.node = node
    this.catalog = catalog
    this.board = board
    this.jump = jump
    // {number, words, rule, places, heading}, in order
    this.lines = []
    this.rows = new Map()
    this.more = 0
    this.upto = 0
    this.list = html('ol', { class: 'log-list' })
    this.earlier = html('button', { type: 'button', class: 'quiet', text: 'Earlier entries', onclick: () => this.#earlier() })
    node.append(this.earlier, this.list)
    this.list.addEventListener('pointerover', ({ target }) => this.#point(target))
    this.list.addEventListener('pointerleave', () => this.board.mark([], 'marked'))
    this.list.addEventListener('focusin', ({ target }) => this.#point(target))
    this.list.addEventListener('focusout', () => this.board.mark([], 'marked'))
  }

  clear() {
    this.lines = []
    this.rows.clear()
    this.list.replaceChildren()
  }

  // Add a line. It is shown when the position reaches it.
  add(number, line) {
    this.lines.push({ number, ...line })
  }

  phase(number, name) {
    this.lines.push({ number, words: capital(humanised(name)), phase: true, rule: '', places: [] })
  }

  // Show the lines up to an entry, the last ones first of all.
  show(upto) {
    if (upto < this.upto) this.more = 0
    this.upto = upto
    const end = this.#after(upto)
    const begin = Math.max(0, end - SHOWN - this.more)
    this.earlier.hidden = begin === 0
    const wanted = this.lines.slice(begin, end)
    const keep = new Set(wanted)
    for (const [line, row] of this.rows)
      if (!keep.has(line)) {
        row.remove()
        this.rows.delete(line)
      }
    let next = this.list.firstElementChild
    for (const line of wanted) {
      let row = this.rows.get(line)
      if (!row) {
        row = this.#row(line)
        this.rows.set(line, row)
      }
      if (row === next) next = next.nextElementSibling
      else this.list.insertBefore(row, next)
    }
    for (const row of this.list.querySelectorAll('[aria-current]')) row.removeAttribute('aria-current')
    this.rows.get(wanted.at(-1))?.setAttribute('aria-current', 'true')
    this.#scroll()
  }

  // Go to the last line, once in a frame: its height is known then at no cost.
  #scroll() {
    if (this.scrolling) return
    this.scrolling = true
    requestAnimationFrame(() => {
      this.scrolling = false
      if (!this.node.contains(document.activeElement) && !this.node.matches(':hover')) this.node.scrollTop = this.node.scrollHeight
    })
  }

  // The number of lines up to an entry.
  #after(number) {
    let [low, high] = [0, this.lines.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.lines[middle].number <= number) low = middle + 1
      else high = middle
    }
    return low
  }

  #earlier() {
    this.more += SHOWN
    this.show(this.upto)
  }

  #row(line) {
    const cls = line.heading ? 'heading' : line.phase ? 'phase' : line.loud ? 'loud' : ''
    const rule = line.rule ? html('button', { type: 'button', class: 'rule', text: line.rule, 'aria-label': `Rule ${line.rule}`, onclick: ({ target }) => this.#rule(target, line.rule) }) : null
    const words = this.jump && !line.phase && !line.heading
      ? html('button', { type: 'button', class: 'jump', text: line.words, onclick: () => this.jump(line.number) })
      : html(line.heading || line.phase ? 'strong' : 'span', { text: line.words })
    const row = html('li', { class: cls, data: { number: line.number } }, words, rule)
    row.places = line.places
    row.facts = line.facts
    return row
  }

  #point(target) {
    const row = target.closest('li')
    if (!row) return
    const words = [...(row.places ?? []).flatMap((key) => key.split('/')), ...(row.facts ?? []).flat(9).filter((fact) => typeof fact === 'string')]
    const areas = [...this.board.shapes.keys()].filter((area) => words.includes(area) || words.includes(area.split(':')[0]))
    this.board.mark(areas, 'marked')
  }

  #rule(button, id) {
    const open = button.nextElementSibling
    button.setAttribute('aria-expanded', String(!open))
    if (open) {
      open.remove()
      return
    }
    const rule = this.catalog.rule(id)
    button.after(html('p', { class: 'rule-text', text: rule ? `${rule.heading ?? ''}: ${rule.text}` : 'There is no statement of this rule.' }))
  }
}
