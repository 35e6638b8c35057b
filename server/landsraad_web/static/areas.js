// The board as a list of areas in words, always in the document: the same facts as the picture, from the same source.

import { html } from './svg.js'

export class AreaList {
  // `choose` is called with an area that is chosen in the list, `point` with one that is looked at.
  constructor(node, board, { choose, point }) {
    this.node = node
    this.board = board
    this.rows = new Map()
    const list = html('ul', { class: 'area-list' })
    for (const area of board.shapes.keys()) {
      const button = html('button', { type: 'button', data: { area }, tabindex: -1 })
      const row = html('li', {}, button)
      this.rows.set(area, { button, row })
      list.append(row)
    }
    list.addEventListener('click', ({ target }) => target.dataset.area && choose(target.dataset.area))
    list.addEventListener('focusin', ({ target }) => target.dataset.area && point(target.dataset.area))
    this.node.append(list)
    this.show(false)
  }

  // Lists that are out of sight stay readable, but are no stops of the Tab key.
  show(visible) {
    this.visible = visible
    this.node.classList.toggle('out-of-sight', !visible)
    for (const { button } of this.rows.values()) button.tabIndex = visible ? 0 : -1
  }

  // Write the rows of areas; those without anything come last.
  update(areas) {
    for (const area of areas) {
      const found = this.rows.get(area)
      if (!found) continue
      const words = this.board.describe(area)
      if (found.button.textContent !== words) found.button.textContent = words
      const filled = this.board.contents.things(area).length > 0 || this.board.offered?.has(area)
      found.row.classList.toggle('empty', !filled)
    }
  }
}
