// Places for the names of areas: where there is most room, off the counters that stand there now.

import { COUNTER } from './geometry.js'
import { widthOf } from './svg.js'

function inside(corners, [x, y]) {
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
const counterBox = ([at, radius]) => box([at[0], at[1] - 0.15 * radius], 2.1 * radius, 2.4 * radius)
const MARGIN = 60
// From this part of a name under counters on, it looks for another place.
const COVERED = 0.08

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

// All that could lie under a name of this width.
function reachOf(corners, wide) {
  const [xs, ys] = [corners.flat().map(([x]) => x), corners.flat().map(([, y]) => y)]
  return { left: Math.min(...xs) - wide, right: Math.max(...xs) + wide, top: Math.min(...ys) - wide, bottom: Math.max(...ys) + wide }
}

// The names of groups of areas: [words, areas]. `loose` ones may stand beside their area.
export class Names {
  constructor(geometry, groups, size, loose) {
    this.geometry = geometry
    this.size = size
    this.loose = loose
    // Counters by area; first the places where one will stand.
    this.counters = new Map([...geometry.areas.values()].map(({ id, anchors }) => [id, [counterBox([anchors[0].at, COUNTER])]]))
    for (const [mark, at] of geometry.marks) this.counters.set(mark, [counterBox([at, COUNTER])])
    this.names = groups.map(([words, areas]) => ({ words, areas, place: null }))
    for (const name of [...this.names].sort((a, b) => b.words.length - a.words.length)) this.#put(name, true)
  }

  // Tell the counters of an area; return the names that have gone elsewhere.
  stand(area, places) {
    const before = this.counters.get(area)
    const now = places.map(counterBox)
    if (!now.length && this.geometry.areas.has(area)) now.push(counterBox([this.geometry.middle(area), COUNTER]))
    if (JSON.stringify(before) === JSON.stringify(now)) return []
    this.counters.set(area, now)
    const moved = []
    for (const name of this.names) {
      if (!name.areas.includes(area) && !now.some((counter) => overlap(name.place, counter) > name.room * COVERED)) continue
      const { at, lines } = name
      this.#put(name, false)
      if (name.at[0] !== at[0] || name.at[1] !== at[1] || name.lines.length !== lines.length) moved.push(name)
    }
    return moved
  }

  #put(name, first) {
    const { geometry, size } = this
    const corners = name.areas.map((area) => geometry.areas.get(area).outline)
    const loose = this.loose(name.areas[0]) || (this.counters.get(name.areas[0])?.length ?? 0) > 1
    const strict = loose ? 0.5 : 1.6
    const reach = reachOf(corners, widthOf(name.words, size))
    const taken = []
    for (const counters of this.counters.values()) for (const counter of counters) if (overlap(counter, reach)) taken.push(counter)
    for (const other of this.names) if (other !== name && other.place && overlap(other.place, reach)) taken.push(other.place)
    const middle = geometry.middle(name.areas[0])
    let best = null
    for (const lines of broken(name.words)) {
      const wide = Math.max(...lines.map((line) => widthOf(line, size)))
      const high = size * 1.05 * lines.length
      for (const at of candidates(corners, size, loose ? size * 2 : 0)) {
        const place = box(at, wide, high)
        let price = 0.02 * lines.length + Math.hypot(at[0] - middle[0], at[1] - middle[1]) / geometry.width
        if (place.left < MARGIN || place.top < MARGIN || place.right > geometry.width - MARGIN || place.bottom > geometry.height - MARGIN) price += 4
        for (const other of taken) price += (overlap(place, other) / (wide * high)) * 3
        // A name does not jump for little.
        if (!first && name.at && at[0] === name.at[0] && at[1] === name.at[1]) price -= 0.1
        if (best && price >= best.price) continue
        price += strict * outsideOf(corners, place)
        if (!best || price < best.price) best = { price, at, lines, place, room: wide * high }
      }
    }
    Object.assign(name, { at: best.at, lines: best.lines, place: best.place, room: best.room })
  }
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
