// The geometry of a board from the outlines of the catalog: shapes, borders, places for counters and names.
//
// landsraad.svg draws the same in Python; a test compares the two.

import { regular } from './svg.js'

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
