// The geometry of a board from the outlines of the catalog: shapes, borders, places for counters and names.
//
// landsraad.svg draws the same in Python; a test compares the two.

import { regular, widthOf } from './svg.js'

export const UNITS = 10_000
// The radius of a counter: 12 pixels of diameter on a board of 360 pixels.
export const COUNTER = (6.1 / 360) * UNITS

export class Geometry {
  constructor(graph) {
    this.width = graph.sheet.width
    this.height = graph.sheet.height
    this.areas = new Map()
    for (const area of graph.areas)
      if (area.outline?.length)
        this.areas.set(area.id, {
          id: area.id,
          neighbours: area.neighbours ?? [],
          outline: area.outline.map(pointOf),
          anchors: (area.anchors ?? []).map((anchor) => ({ at: pointOf(anchor.at), radius: anchor.radius ?? 0 })),
        })
    this.marks = new Map((graph.sheet.marks ?? []).map((mark) => [mark.name, pointOf(mark.at)]))
    this.lines = new Map((graph.sheet.lines ?? []).map((line) => [line.name, line.points.map(pointOf)]))
  }

  // The middle of an area, where its first counter stands.
  middle(id) {
    return this.areas.get(id)?.anchors[0]?.at ?? this.marks.get(id) ?? [0, 0]
  }

  // Sides of areas: [from, to, area, other area or ""], each once.
  * borders() {
    const sides = new Map()
    for (const { id, outline } of this.areas.values())
      outline.forEach((q, at) => {
        const p = outline.at(at - 1)
        const key = [p, q].map(String).sort().join(' ')
        if (!sides.has(key)) sides.set(key, { p, q, areas: [] })
        sides.get(key).areas.push(id)
      })
    for (const { p, q, areas } of sides.values()) yield [p, q, areas[0], areas[1] ?? '']
  }

  // Centres and radii for so many counters in an area: its anchors, or a ring if they do not suffice.
  places(id, count) {
    const { anchors } = this.areas.get(id)
    if (count <= anchors.length) return anchors.slice(0, count).map(({ at }) => [at, COUNTER])
    const { at, radius: room } = anchors[0]
    const wide = 1 / Math.sin(Math.PI / Math.max(2, count))
    const radius = Math.max(room, COUNTER * 1.3)
    const small = Math.min(COUNTER, Math.max(COUNTER * 0.8, radius / (1 + wide)))
    const ring = Math.max(radius - small, small * (count > 1 ? wide : 0) * 0.9)
    return regular(at, ring, count, 1 / 4).map((place) => [place, small])
  }

  // The neighbour of an area in a direction: the one that lies closest to it, by angle first.
  towards(id, dx, dy) {
    const [x, y] = this.middle(id)
    let best = null
    for (const other of this.areas.get(id)?.neighbours ?? []) {
      if (!this.areas.has(other)) continue
      const [ox, oy] = this.middle(other)
      const [vx, vy] = [ox - x, oy - y]
      const far = Math.hypot(vx, vy) || 1
      const cosine = (vx * dx + vy * dy) / far
      if (cosine < 0.35) continue
      const price = far * (1.6 - cosine)
      if (!best || price < best.price) best = { price, other }
    }
    return best?.other ?? null
  }
}

const pointOf = (point) => [point.x ?? 0, point.y ?? 0]

export function inside(corners, [x, y]) {
  let found = false
  let [ax, ay] = corners.at(-1)
  for (const [bx, by] of corners) {
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) found = !found
    ;[ax, ay] = [bx, by]
  }
  return found
}

const box = ([x, y], wide, high) => ({ left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 })
const overlap = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))

function broken(words) {
  const parts = words.split(' ')
  const ways = [[words]]
  for (let i = 1; i < parts.length; i += 1) ways.push([parts.slice(0, i).join(' '), parts.slice(i).join(' ')])
  if (parts.length > 2)
    for (let i = 1; i < parts.length - 1; i += 1)
      for (let j = i + 1; j < parts.length; j += 1)
        ways.push([parts.slice(0, i).join(' '), parts.slice(i, j).join(' '), parts.slice(j).join(' ')])
  return ways
}

// Places for the names of groups of areas, where there is most room: {lines, at} by group. `loose` names may stand
// beside their area; counters keep the first place of each area.
export function placeNames(geometry, groups, size, loose = () => false) {
  const taken = []
  for (const { anchors } of geometry.areas.values())
    anchors.slice(0, 3).forEach(({ at }, n) => taken.push({ ...box(at, COUNTER * 2.1, COUNTER * 2.1), weight: [3, 1.6, 0.8][n] }))
  const found = []
  for (const [words, areas] of [...groups].sort((a, b) => b[0].length - a[0].length)) {
    const corners = areas.map((area) => geometry.areas.get(area).outline)
    const strict = loose(areas[0]) ? 0.5 : 1.6
    let best = null
    for (const lines of broken(words)) {
      const wide = Math.max(...lines.map((line) => widthOf(line, size)))
      const high = size * 1.05 * lines.length
      for (const at of candidates(corners, size, loose(areas[0]) ? size * 2 : 0)) {
        const place = box(at, wide, high)
        const middle = geometry.middle(areas[0])
        let price = (place.left < 60 || place.top < 60 || place.right > geometry.width - 60 || place.bottom > geometry.height - 60 ? 4 : 0) + 0.02 * lines.length + Math.hypot(at[0] - middle[0], at[1] - middle[1]) / geometry.width
        for (const other of taken) price += (overlap(place, other) / (wide * high)) * (other.weight ?? 3)
        if (best && price >= best.price) continue
        price += strict * outsideOf(corners, place)
        if (!best || price < best.price) best = { price, at, lines, place }
      }
    }
    taken.push(best.place)
    found.push({ areas, lines: best.lines, at: best.at })
  }
  return found
}

function* candidates(corners, size, beyond) {
  for (const outline of corners) {
    const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)]
    const [left, top] = [Math.min(...xs) - beyond, Math.min(...ys) - beyond]
    const [wide, high] = [Math.max(...xs) + beyond - left, Math.max(...ys) + beyond - top]
    const columns = Math.max(5, Math.min(9, Math.floor(wide / size))) | 1
    const rows = Math.max(5, Math.min(11, Math.floor((1.4 * high) / size))) | 1
    for (let i = 0; i < columns; i += 1)
      for (let j = 0; j < rows; j += 1) yield [left + (wide * (i + 0.5)) / columns, top + (high * (j + 0.5)) / rows]
  }
}

function outsideOf(corners, { left, right, top, bottom }) {
  let outside = 0
  for (let i = 0; i < 5; i += 1)
    for (const y of [top, (top + bottom) / 2, bottom]) {
      const point = [left + ((right - left) * i) / 4, y]
      if (!corners.some((outline) => inside(outline, point))) outside += 1
    }
  return outside / 15
}
