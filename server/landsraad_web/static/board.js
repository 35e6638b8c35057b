// The board: shapes once, counters as keyed nodes. Only places that have changed are touched, once in a frame.
//
// Its areas are a graph of named buttons: arrow keys go to the neighbour in that direction, Enter chooses. It sends the
// event "choose" with the area, and "point" with the area under the pointer or the focus ("" for none).

import { Contents } from './contents.js'
import { COUNTER, Geometry } from './geometry.js'
import { draw } from './pieces.js'
import { Names } from './placing.js'
import { circle, keyed, path, points, polygon, round, star, svg, text } from './svg.js'
import { printedOn } from './terrain.js'

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
// [id, width, height, ground, marks]
const PATTERNS = [
  ['sand', 280, 280, [['c', 60, 80, 14], ['c', 200, 220, 14]]],
  ['deep', 440, 240, [['p', 'M40 140q80-80 180 0t180 0', 'ripple', 14]]],
  ['erg', 240, 160, [['p', 'M20 100q60-60 100 0t100 0', 'ripple', 16]]],
  ['plateau', 200, 200, [['p', 'M40 160h80M120 60h60', 'hatch', 12]]],
  ['rock', 220, 220, [['p', 'M40 180l60-100 60 100M140 80l30-50L200 80', 'hatch', 16]]],
]

function patterns() {
  return svg('defs', {}, PATTERNS.map(([id, width, height, marks]) =>
    svg('pattern', { id: `p-${id}`, width, height, patternUnits: 'userSpaceOnUse' },
      svg('rect', { width, height, class: `ground-${id}` }),
      marks.map(([kind, ...rest]) => kind === 'c'
        ? circle([rest[0], rest[1]], rest[2], 'sand-mark')
        : svg('path', { d: rest[0], class: rest[1], 'stroke-width': rest[2] })))),
  svg('marker', { id: 'arrow', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: 'auto' },
    svg('path', { d: 'M0 0L10 5L0 10z', class: 'arrow-head' })))
}

export class Board {
  constructor(catalog, layout) {
    this.catalog = catalog
    this.geometry = new Geometry(catalog.board)
    this.printed = printedOn(catalog, this.geometry)
    this.contents = new Contents(catalog, layout, this.geometry)
    this.shapes = new Map()
    this.due = new Set()
    this.waiting = false
    this.current = ''
    // Where counters stand, by area: names keep off them.
    this.stands = new Map()
    this.node = this.#build()
  }

  #build() {
    const { width, height } = this.geometry
    this.layers = Object.fromEntries(
      ['areas', 'shade', 'lines', 'rim', 'names', 'arrows', 'pieces', 'cursor'].map((name) => [name, svg('g', { class: name })]))
    const node = svg('svg', {
      viewBox: `0 0 ${width} ${height}`, class: `board game-${this.catalog.game}`, role: 'group',
      'aria-label': `Board of ${this.catalog.title_}`, 'aria-describedby': 'board-help',
    }, patterns(), Object.values(this.layers))
    for (const { id, outline } of this.geometry.areas.values()) {
      const ground = this.printed.ground(id)
      const shape = polygon(outline, `area ${ground}`, { data: { area: id }, role: 'button', tabindex: -1 })
      this.shapes.set(id, shape)
      this.layers.areas.append(shape)
    }
    this.layers.lines.append(...this.#borders())
    this.current = this.shapes.keys().next().value
    this.shapes.get(this.current)?.setAttribute('tabindex', 0)
    node.addEventListener('keydown', (event) => this.#onKey(event))
    node.addEventListener('click', (event) => this.#onClick(event))
    node.addEventListener('focusin', (event) => this.#onFocus(event.target.dataset?.area))
    node.addEventListener('focusout', () => this.#showCursor(''))
    node.addEventListener('pointerover', (event) => this.#send('point', event.target.dataset?.area ?? ''))
    node.addEventListener('pointerleave', () => this.#send('point', ''))
    return node
  }

  #borders() {
    const strokes = new Map()
    for (const [p, q, a, b] of this.geometry.borders()) {
      const found = this.printed.border(a, b)
      if (!found) continue
      const key = found.join(' ')
      if (!strokes.has(key)) strokes.set(key, { found, lines: [] })
      strokes.get(key).lines.push([p, q])
    }
    const drawn = [...strokes.values()].sort((a, b) => a.found[1] - b.found[1])
      .map(({ found: [cls, wide], lines }) => path(lines, `border ${cls}`, { 'stroke-width': wide }))
    const lines = [...this.geometry.lines.values()]
    if (lines.length) drawn.push(path(lines, `border ${this.printed.lineClass()}`, { 'stroke-width': this.catalog.game === 'arrakis' ? 44 : 9 }))
    return drawn
  }

  // Write the names of areas. It takes some time, so it is called after the first drawing.
  writeNames() {
    const { names, size, loose } = this.printed
    this.names = new Names(this.geometry, names, size, loose)
    for (const [area, places] of this.stands) this.names.stand(area, places)
    for (const name of this.names.names) this.#writeName(name)
  }

  #writeName(name) {
    const { size } = this.printed
    const [x, y] = name.at
    const first = y - (size * 1.02 * (name.lines.length - 1)) / 2
    name.node ??= this.layers.names.appendChild(svg('g', {}))
    name.node.replaceChildren(...name.lines.map((line, n) => text([x, first + size * 1.02 * n], line, size, 'name')))
  }

  // --- drawing

  // Take the places that a fold has changed; without keys, everything.
  update(fold, keys = null) {
    this.fold = fold
    const all = keys === null
    for (const area of this.contents.changed(fold, all ? this.contents.layout.places.keys() : keys)) this.due.add(area)
    if (all) for (const area of this.contents.keys.keys()) this.due.add(area)
    if (!all && ![...keys].some((key) => RIM.has(key.split('/')[0])) && !this.due.size) return
    if (all || [...keys].some((key) => RIM.has(key.split('/')[0]))) this.rimDue = true
    if (this.waiting) return
    this.waiting = true
    // A hidden tab gets no frames; it draws when it is shown again.
    requestAnimationFrame(() => this.paint())
  }

  paint() {
    this.waiting = false
    if (!this.fold) return
    if (this.rimDue) this.#drawRim()
    this.rimDue = false
    for (const area of this.due) this.#drawArea(area)
    this.due.clear()
  }

  #drawArea(area) {
    const things = this.contents.things(area)
    const shape = this.shapes.get(area)
    if (shape) shape.setAttribute('aria-label', this.describe(area, things))
    const drawn = things.filter((thing) => thing.form)
    let group = this.layers.pieces.querySelector(`[data-of="${CSS.escape(area)}"]`)
    if (!drawn.length) {
      group?.remove()
      this.#keepFree(area, [])
      return
    }
    if (!group) {
      group = svg('g', { data: { of: area } })
      this.layers.pieces.append(group)
    }
    const places = shape
      ? this.geometry.places(area, drawn.length)
      : drawn.map((_, n) => [[this.geometry.marks.get(area)[0] + n * COUNTER, this.geometry.marks.get(area)[1]], COUNTER])
    this.#keepFree(area, places)
    const items = drawn.map((thing, n) => [thing.key, { thing, at: places[n][0], radius: places[n][1] }])
    keyed(group, items, () => svg('g', { class: 'piece' }), (node, { thing, at, radius }) => {
      const looks = JSON.stringify([thing, at, radius])
      if (node.dataset.looks === looks) return
      node.dataset.looks = looks
      node.dataset.piece = thing.key.split(' ')[0]
      node.replaceChildren(...draw(thing, at, radius))
    })
  }

  #keepFree(area, places) {
    this.stands.set(area, places)
    for (const name of this.names?.stand(area, places) ?? []) this.#writeName(name)
  }

  #drawRim() {
    const { marks } = this.geometry
    const { places } = this.fold
    const rim = []
    if (this.catalog.game === 'dune') {
      const storm = places.get('storm')
      const dots = this.catalog.components.get('storm.player_dots') ?? []
      const seated = new Map()
      for (const [key, dot] of places) if (key.startsWith('dot/')) seated.set(dots[dot], key.slice(4))
      for (let sector = 1; marks.has(`storm_${sector}`); sector += 1) {
        const at = marks.get(`storm_${sector}`)
        rim.push(sector === storm
          ? svg('g', { class: 'storm-marker' }, svg('title', { text: `Storm in sector ${storm}` }), draw({ form: 'storm' }, at, COUNTER * 1.15))
          : text(at, String(sector), COUNTER, 'faint'))
      }
      for (const dot of dots) {
        const side = seated.get(dot)
        const at = marks.get(`dot_${dot}`)
        rim.push(side
          ? svg('g', {}, svg('title', { text: this.catalog.title(side) }), draw({ form: 'side', look: this.contents.look(side) }, at, COUNTER))
          : circle(at, COUNTER * 0.8, 'dot'))
      }
      const stormy = [...this.geometry.areas.values()].filter(({ id }) => id.split(':')[1] === String(storm))
      this.layers.shade.replaceChildren(...stormy.map(({ outline }) => polygon(outline, 'storm')))
      // Where spice blows, if nothing lies there.
      for (const { id } of this.geometry.areas.values())
        if (this.contents.layout.places.has(`blow/${id}`)) rim.push(polygon(star(this.geometry.middle(id), 0.1), 'spice-field', { points: points(diamond(this.geometry.middle(id), COUNTER * 0.36)) }))
    } else
      for (const [zone, at] of marks)
        rim.push(svg('g', { data: { zone } }, svg('title', { text: this.catalog.title(zone) }), circle(at, COUNTER * 0.92, 'zone')))
    this.layers.rim.replaceChildren(...rim)
  }

  // --- in words

  // The name of an area with all that stands in it.
  describe(area, things = this.contents.things(area)) {
    const about = this.printed.about(area)
    const title = this.catalog.title(area).replace(/ \(\d+\)$/, '')
    const stands = things.map((thing) => thing.words).join('; ')
    const offer = this.offered?.get(area)
    return [`${[title, ...about].join(', ')}${stands ? `: ${stands}` : ''}`, offer].filter(Boolean).join('. ')
  }

  // --- choosing

  // Offer areas for a choice: a map from areas to words, such as "can be chosen"; null ends it. `out` maps others to the
  // reason for which they are out.
  offer(areas, out = null) {
    const before = new Set([...(this.offered?.keys() ?? []), ...(this.outside?.keys() ?? [])])
    this.offered = areas ? new Map(areas) : null
    this.outside = out ? new Map(out) : null
    for (const area of new Set([...before, ...(this.offered?.keys() ?? []), ...(this.outside?.keys() ?? [])])) {
      const shape = this.shapes.get(area)
      if (!shape) continue
      shape.classList.toggle('legal', Boolean(this.offered?.has(area)))
      shape.classList.toggle('out', Boolean(this.outside?.has(area)))
      if (this.fold) shape.setAttribute('aria-label', this.describe(area))
    }
    this.node.classList.toggle('choosing', Boolean(areas))
  }

  // Mark areas, for instance those of a log entry.
  mark(areas, cls = 'marked') {
    for (const shape of this.node.querySelectorAll(`.${cls}`)) shape.classList.remove(cls)
    for (const area of areas) this.shapes.get(area)?.classList.add(cls)
  }

  // Draw recent moves: [from, to] pairs of areas.
  showMoves(moves) {
    const drawn = moves.filter(([a, b]) => a !== b && this.shapes.has(a) && this.shapes.has(b)).map(([a, b]) => {
      const [[ax, ay], [bx, by]] = [this.geometry.middle(a), this.geometry.middle(b)]
      const far = Math.hypot(bx - ax, by - ay)
      const short = Math.min(COUNTER * 1.1, far / 3)
      const [ux, uy] = [(bx - ax) / far, (by - ay) / far]
      const bend = [(ax + bx) / 2 - uy * far * 0.12, (ay + by) / 2 + ux * far * 0.12]
      const d = `M${round(ax)} ${round(ay)}Q${round(bend[0])} ${round(bend[1])} ${round(bx - ux * short)} ${round(by - uy * short)}`
      return svg('path', { d, class: 'move', 'marker-end': 'url(#arrow)' })
    })
    this.layers.arrows.replaceChildren(...drawn)
  }

  focus(area) {
    const shape = this.shapes.get(area)
    if (!shape) return
    shape.focus({ preventScroll: false })
  }

  // Areas whose names hold these words, those that begin with them first.
  find(words) {
    const wanted = words.trim().toLowerCase()
    if (!wanted) return []
    const named = [...this.shapes.keys()].map((area) => [area, this.catalog.title(area).toLowerCase()])
    const hits = named.filter(([, name]) => name.includes(wanted))
    return hits.sort((a, b) => Number(b[1].startsWith(wanted)) - Number(a[1].startsWith(wanted))).map(([area]) => area)
  }

  #send(kind, area) {
    this.node.dispatchEvent(new CustomEvent(kind, { detail: { area }, bubbles: true }))
  }

  #onClick(event) {
    const area = event.target.dataset?.area
    if (!area) return
    this.focus(area)
    this.#send('choose', area)
  }

  #onFocus(area) {
    if (!area) return
    this.shapes.get(this.current)?.setAttribute('tabindex', -1)
    this.current = area
    this.shapes.get(area)?.setAttribute('tabindex', 0)
    this.#showCursor(area)
    this.#send('point', area)
  }

  #showCursor(area) {
    const outline = this.geometry.areas.get(area)?.outline
    this.layers.cursor.replaceChildren(...(outline ? [polygon(outline, 'cursor-shape')] : []))
  }

  #onKey(event) {
    const area = event.target.dataset?.area
    if (!area || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      this.#send('choose', area)
    } else if (event.key in ARROWS) {
      event.preventDefault()
      const next = this.geometry.towards(area, ...ARROWS[event.key])
      if (next) this.focus(next)
    }
  }

  // The board as a list of areas in words, grouped; see areas.js.
  * listed() {
    for (const area of this.shapes.keys()) yield [area, this.contents.things(area)]
  }
}

const RIM = new Set(['storm', 'dot'])
const diamond = ([x, y], r) => [[x, y - r], [x + r, y], [x, y + r], [x - r, y]]
