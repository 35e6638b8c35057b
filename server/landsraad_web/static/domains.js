// Domains: the values that one field of an act can take. landsraad/v1/ask.proto states them.
//
// A domain is read into an object of one of the kinds below; its values are plain (values.js).

import { bySize, decode, keyOf, same } from './values.js'

export const unique = (values) => [...new Map(values.map((value) => [keyOf(value), value])).values()]

// The items that are left after some are taken; undefined if one of them is not there.
export function without(items, taken) {
  const rest = [...items]
  for (const item of taken) {
    const at = rest.findIndex((other) => same(other, item))
    if (at < 0) return undefined
    rest.splice(at, 1)
  }
  return rest
}

const tally = (items) => {
  const counts = new Map()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return { kinds: unique(items).sort(bySize), counts }
}

const sum = (numbers) => numbers.reduce((total, n) => total + n, 0)
const isInt = (value) => Number.isInteger(value)

export class OneOf {
  constructor(items) {
    this.items = items
  }
  has(value) {
    return this.items.some((item) => same(item, value))
  }
  count() {
    return this.items.length
  }
  * values() {
    yield* this.items
  }
  get compound() {
    return this.items.length > 0 && this.items.every(Array.isArray)
  }
}

export class Range {
  constructor(low, high) {
    this.low = low
    this.high = high
  }
  has(value) {
    return isInt(value) && value >= this.low && value <= this.high
  }
  count() {
    return Math.max(0, this.high - this.low + 1)
  }
  * values() {
    for (let n = this.low; n <= this.high; n += 1) yield n
  }
  compound = false
}

export class Subset {
  constructor(items, low, high) {
    this.items = items
    this.low = low
    this.high = high
  }
  has(value) {
    if (!Array.isArray(value) || value.length < this.low || value.length > this.high) return false
    return Boolean(without(this.items, value)) && same(value, [...value].sort(bySize))
  }
  count() {
    const { kinds, counts } = tally(this.items)
    return waysToFill(kinds.map((kind) => counts.get(keyOf(kind))), this.low, this.high)
  }
  * values() {
    const { kinds, counts } = tally(this.items)
    const caps = kinds.map((kind) => counts.get(keyOf(kind)))
    for (const given of filled(caps, this.low, this.high)) yield kinds.flatMap((kind, at) => Array(given[at]).fill(kind))
  }
  compound = true
}

export class Alloc {
  constructor(slots, caps, low, high) {
    Object.assign(this, { slots, caps, low, high })
  }
  has(value) {
    if (!Array.isArray(value) || value.length !== this.caps.length) return false
    if (!value.every((n, at) => isInt(n) && n >= 0 && n <= this.caps[at])) return false
    return sum(value) >= this.low && sum(value) <= this.high
  }
  count() {
    return waysToFill(this.caps, this.low, this.high)
  }
  * values() {
    yield* filled(this.caps, this.low, this.high)
  }
  compound = true
}

// The number of allocations under these caps.
function waysToFill(caps, low, high) {
  let ways = [1]
  for (const cap of caps) {
    const next = Array(ways.length + cap).fill(0)
    ways.forEach((n, total) => {
      for (let k = 0; k <= cap; k += 1) next[total + k] += n
    })
    ways = next
  }
  return sum(ways.slice(Math.max(low, 0), Math.max(high + 1, 0)))
}

function* filled(caps, low, high, at = 0, total = 0) {
  if (at === caps.length) {
    if (total >= low && total <= high) yield []
    return
  }
  const later = sum(caps.slice(at + 1))
  const least = Math.max(0, low - total - later)
  for (let n = least; n <= Math.min(caps[at], high - total); n += 1)
    for (const rest of filled(caps, low, high, at + 1, total + n)) yield [n, ...rest]
}

export class Order {
  constructor(items) {
    this.items = items
  }
  has(value) {
    return Array.isArray(value) && value.length === this.items.length && Boolean(without(this.items, value))
  }
  count() {
    let n = 1
    for (let at = 2; at <= this.items.length; at += 1) n *= at
    return n
  }
  * values() {
    yield* permutations(this.items)
  }
  compound = true
}

function* permutations(items) {
  if (items.length === 0) yield []
  for (const first of unique(items))
    for (const rest of permutations(without(items, [first]))) yield [first, ...rest]
}

export class Path {
  constructor(it, graphs) {
    Object.assign(this, { start: it.start, steps: it.steps, graph: it.graph })
    this.blocked = new Set(it.blocked ?? [])
    this.stops = new Set(it.stops ?? [])
    this.ends = it.ends ? new Set(it.ends.items ?? []) : null
    this.near = (area) => graphs.get(it.graph)?.get(area) ?? []
  }
  has(value) {
    if (!Array.isArray(value) || value.length < 2 || value.length > this.steps + 1) return false
    if (value[0] !== this.start || new Set(value).size !== value.length) return false
    for (let at = 1; at < value.length; at += 1) {
      if (!this.near(value[at - 1]).includes(value[at]) || this.blocked.has(value[at])) return false
      if (at < value.length - 1 && this.stops.has(value[at])) return false
    }
    return !this.ends || this.ends.has(value.at(-1))
  }
  count() {
    return this.walks().length
  }
  walks() {
    if (this.found) return this.found
    this.found = []
    let frontier = [[this.start]]
    for (let step = 0; step < this.steps; step += 1) {
      const longer = []
      for (const walk of frontier) {
        if (walk.length > 1 && this.stops.has(walk.at(-1))) continue
        for (const area of this.near(walk.at(-1)))
          if (!this.blocked.has(area) && !walk.includes(area)) longer.push([...walk, area])
      }
      this.found.push(...(this.ends ? longer.filter((walk) => this.ends.has(walk.at(-1))) : longer))
      frontier = longer
    }
    return this.found
  }
  * values() {
    yield* this.walks()
  }
  compound = true
}

// Read a Domain message. `graphs` maps the name of a graph to a map from areas to their neighbours.
export function readDomain(message, graphs) {
  const low = (it) => it.low ?? 0
  const high = (it) => it.high ?? 0
  const items = (it) => (it.items ?? []).map(decode)
  const { oneOf, range, subset, alloc, order, path, rule } = message
  let found
  if (oneOf) found = new OneOf(items(oneOf))
  else if (range) found = new Range(low(range), high(range))
  else if (subset) found = new Subset(items(subset), low(subset), high(subset))
  else if (alloc) found = new Alloc(alloc.slots ?? [], alloc.caps ?? [], low(alloc), high(alloc))
  else if (order) found = new Order(items(order))
  else found = new Path(path, graphs)
  found.rule = rule ?? ''
  return found
}

// The graphs of a catalog in the form that `readDomain` takes.
export const readGraphs = (graphs) =>
  new Map(
    (graphs ?? []).map((graph) => [graph.name, new Map(graph.areas.map((area) => [area.id, area.neighbours ?? []]))]),
  )
