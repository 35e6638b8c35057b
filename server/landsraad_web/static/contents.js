// The things that stand in the areas of the board, as counters and in words: both painters of the page use this list.
//
// A place belongs to an area if its key ends with the area's id, or if it is a mark with the area as its value. Places of
// kinds that are not known here are shown all the same, with their name: new modes of a game need no code.

import { humanised, listed, many } from './names.js'
import { lookOf } from './pieces.js'
import { UNKNOWN } from './values.js'

const VEHICLES = ['harvester', 'ornithopter', 'carryall']
const sum = (counts) => counts.reduce((total, n) => total + n, 0)

// Stems of places -> the things that stand there. `it` has stem, parts (of the key), value, zone, area.
const STEMS = {
  at(view, { parts, value }) {
    const [tokens, elites, coexisting] = value
    const faint = !(tokens || elites)
    const words = `${view.catalog.title(parts[1])} ${view.catalog.counted('at', value)}`
    return [{ form: 'force', look: view.look(parts[1]), number: tokens + elites + coexisting, elites, faint, words }]
  },
  blow: (_, { value }) => [{ form: 'spice', number: value, words: `${value} spice` }],
  legion(view, { parts, value, area }) {
    const [side, units] = [parts[1], value.slice(0, 3)]
    const named = view.leadersIn(area, side)
    const figures = view.catalog.counted('legion', value)
    const words = `${view.catalog.title(side)} ${listed([...(sum(value) ? [figures] : []), ...named.map((leader) => view.catalog.title(leader))])}`
    return [{ form: 'legion', look: view.look(side), number: sum(units), leaders: (value[3] ?? 0) + named.length, words }]
  },
  settlement: (view, { value }) => [{ form: 'settlement', text: String(value), words: `Harkonnen settlement of rank ${value}` }],
  sietch: (_, { value: [rank] }) => [
    { form: 'sietch', text: String(rank), words: rank === UNKNOWN ? 'Sietch, face down' : `Sietch of rank ${rank}` },
  ],
  tokens(view, { value }) {
    const known = value.filter((token) => token !== UNKNOWN)
    const text = known.length ? known.map((token) => token.split('_').at(-1)).join('/') : value.length > 1 ? `${value.length}?` : '?'
    const words = many(value.length, known.length ? 'deployment token' : 'face-down token')
    return [{ form: 'backs', text, number: value.length, words: known.length ? `${words}: ${listed(known.map((token) => view.catalog.title(token)))}` : words }]
  },
  worm: (_, { value }) => [{ form: 'worm', wild: Boolean(value[1]), words: value[1] ? 'the Wild Maker' : 'sandworm' }],
  wormsign: (_, { value }) => [{ form: 'wormsign', words: many(value.length, 'wormsign') }],
  station: () => [{ form: 'station', words: 'testing station' }],
  vehicle: (_, { value }) =>
    VEHICLES.flatMap((kind, at) => (value[at] ? [{ form: 'vehicle', kind, number: value[at], words: many(value[at], kind) }] : [])),
  atomics: () => [{ form: 'atomics', words: 'Family Atomics' }],
  worm_at: () => [{ form: 'worm', words: 'Shai-Hulud' }],
  // They say whose tokens count and what has been declared: words, no counters.
  primary: (view, { value }) => [{ words: `Primary: ${view.catalog.say(value)}` }],
  coexistence: () => [],
  figure: () => [],
  here: () => [],
}
// The order in which things lie in an area.
const ORDER = ['settlement', 'sietch', 'at', 'legion', 'tokens', 'blow', 'worm_at', 'worm', 'wormsign', 'station', 'vehicle', 'atomics']
const rank = (stem) => (ORDER.includes(stem) ? ORDER.indexOf(stem) : ORDER.length)

export class Contents {
  constructor(catalog, layout, geometry) {
    this.catalog = catalog
    this.layout = layout
    this.geometry = geometry
    this.fold = null
    this.keys = new Map([...geometry.areas.keys(), ...geometry.marks.keys()].map((area) => [area, []]))
    // Marks with an area as their value, and where each stands now.
    this.marks = new Set()
    this.standing = new Map()
    for (const [key, { zone }] of layout.places) {
      const area = this.areaOf(key)
      if (area) this.keys.get(area).push(key)
      else if (zone.content === 'CONTENT_MARK' && ['figure', 'atomics', 'worm_at'].includes(key.split('/')[0])) this.marks.add(key)
    }
    for (const keys of this.keys.values()) keys.sort((a, b) => rank(a.split('/')[0]) - rank(b.split('/')[0]))
    this.sides = new Map()
    for (const [leader, facts] of catalog.tables.get('leader') ?? [])
      if (leader !== 'wild_maker') this.sides.set(leader, facts.get('side') ?? '') // that one is a sandworm
  }

  look(side) {
    return lookOf(this.catalog.game, side)
  }

  areaOf(key) {
    const last = key.slice(key.lastIndexOf('/') + 1)
    return last !== key && this.keys.has(last) ? last : ''
  }

  // Named leaders of a side whose figures are in an area.
  leadersIn(area, side) {
    return [...this.marks].flatMap((key) => {
      const [stem, leader] = key.split('/')
      return stem === 'figure' && this.fold.places.get(key) === area && this.sideOf(leader) === side ? [leader] : []
    })
  }

  // A territory stands for its first cell.
  #cell(value) {
    if (typeof value !== 'string') return ''
    if (this.geometry.areas.has(value)) return value
    return [...this.geometry.areas.keys()].find((area) => area.startsWith(`${value}:`)) ?? ''
  }

  // The areas whose things may have changed with these keys; all if there are none.
  changed(fold, keys) {
    this.fold = fold
    const areas = new Set()
    for (const key of keys) {
      if (this.marks.has(key)) {
        areas.add(this.standing.get(key))
        const now = this.#cell(fold.places.get(key))
        this.standing.set(key, now)
        areas.add(now)
      } else areas.add(this.areaOf(key))
    }
    areas.delete('')
    areas.delete(undefined)
    return areas
  }

  // The things in an area, in their order. `form` is missing for what is only told.
  things(area) {
    const found = []
    const { places } = this.fold
    const add = (key, value) => {
      const parts = key.split('/')
      const zone = this.layout.zone(key)
      const tell = STEMS[parts[0]] ?? other
      for (const [at, thing] of tell(this, { parts, value, zone, area }).entries()) found.push({ key: `${key} ${at}`, ...thing })
    }
    for (const key of this.keys.get(area) ?? []) if (places.has(key)) add(key, places.get(key))
    for (const [key, where] of this.standing) if (where === area && places.has(key)) add(key, places.get(key))
    // Leaders without units form a legion, too.
    const present = [...this.marks].filter((key) => key.startsWith('figure/') && places.get(key) === area)
    for (const side of new Set(present.map((key) => this.sideOf(key.slice(7)))))
      if (side && !places.has(`legion/${side}/${area}`)) add(`legion/${side}/${area}`, [0, 0, 0, 0])
    return found
  }

  // The side of a named leader, whose half of it the catalog names.
  sideOf(leader) {
    const power = this.sides.get(leader) ?? ''
    return /harkonnen|corrino/.test(power) ? 'harkonnen' : /atreides|fremen/.test(power) ? 'atreides' : ''
  }
}

// Anything that this page does not know: its name and its value.
function other(view, { parts, value }) {
  const name = humanised(parts.slice(0, -1).join(' '))
  const number = Array.isArray(value) && value.every(Number.isInteger) ? sum(value) : Array.isArray(value) ? value.length : value
  return [{ form: 'other', text: `${parts[0].charAt(0).toUpperCase()}${Number.isInteger(number) && number > 1 ? number : ''}`, words: `${name}: ${view.catalog.say(value)}` }]
}
