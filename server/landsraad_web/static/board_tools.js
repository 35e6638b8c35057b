// The tools over the board: find an area by its name, zoom, and the list of areas. Keys: "/" finds; L, H, P and B read
// log, hand, prompt and board.

import { html } from './svg.js'

const ZOOMS = ['1', '2', '3']
const WRITING = 'input, select, textarea, [contenteditable]'

export function addBoardTools(table) {
  const { board } = table
  const frame = table.part('board-frame')
  const input = table.part('find').querySelector('input')
  const named = [...board.shapes.keys()].map((area) => board.catalog.title(area))
  table.part('find').querySelector('datalist').replaceChildren(...[...new Set(named)].map((value) => html('option', { value })))
  table.part('find').addEventListener('submit', (event) => {
    event.preventDefault()
    const [area] = board.find(input.value)
    if (area) board.focus(area)
    else table.speech.urgent(`No area is called ${input.value}`)
  })
  input.addEventListener('input', () => board.mark(board.find(input.value), 'found'))
  input.addEventListener('blur', () => board.mark([], 'found'))

  let zoom = 0
  const setZoom = (level) => {
    const middle = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth
    zoom = Math.max(0, Math.min(level, ZOOMS.length - 1))
    frame.dataset.zoom = ZOOMS[zoom]
    frame.scrollLeft = middle * frame.scrollWidth - frame.clientWidth / 2
    table.part('zoom-out').disabled = zoom === 0
    table.part('zoom-in').disabled = zoom === ZOOMS.length - 1
    // A board that scrolls can be scrolled by keys, too.
    if (zoom) frame.tabIndex = 0
    else frame.removeAttribute('tabindex')
  }
  table.part('zoom-in').addEventListener('click', () => setZoom(zoom + 1))
  table.part('zoom-out').addEventListener('click', () => setZoom(zoom - 1))
  setZoom(0)

  const list = table.part('list-areas')
  list.addEventListener('click', () => {
    table.areas.show(!table.areas.visible)
    list.setAttribute('aria-pressed', String(table.areas.visible))
  })
}

// What the keys read, by key: the section that gets the focus, and its words.
const READING = {
  l: ['log', (table) => table.log.lines.filter((line) => line.number <= table.timeline.number).slice(-3).map((line) => line.words).join('. ')],
  h: ['hand', (table) => wordsOf(table.part('hand'))],
  p: ['prompt', (table) => wordsOf(table.part('prompt').hidden ? table.root.querySelector('.status') : table.part('prompt'))],
  b: ['board', (table) => board(table)],
}

const wordsOf = (node) => [...node.querySelectorAll('h2, h3, h4, p, li, button, legend, label, strong')]
  .filter((each) => !each.querySelector('p, li, button') && each.checkVisibility?.() !== false).map((each) => each.textContent.trim()).filter(Boolean).join('. ')
const board = (table) => table.board.describe(table.board.current)

export function addReadingKeys(table) {
  const onKey = (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(WRITING)) return
    const key = event.key.toLowerCase()
    if (event.key === '/') {
      event.preventDefault()
      table.part('find').querySelector('input').focus()
      return
    }
    const [part, words] = READING[key] ?? []
    if (!part) return
    event.preventDefault()
    if (part === 'board') table.board.focus(table.board.current)
    else if (!table.part(part).hidden) table.part(part).focus()
    table.speech.urgent(words(table) || 'There is nothing')
  }
  document.addEventListener('keydown', onKey)
}
