// Titles of ids, and enumerations of values in words.

import { decode } from './values.js'

const PART = /:([0-9]+)/g

// Turn an id into words: "the_great_flat" is "the great flat", "BiddingRound" is "bidding round".
export function humanised(word) {
  return String(word)
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(PART, ' ($1)')
    .replace(/[_/.]/g, ' ')
    .trim()
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1)
const capitals = (words) => humanised(words).replace(/(^|\s)\S/g, (letter) => letter.toUpperCase())

// "a, b and c".
export function listed(parts) {
  const all = [...parts]
  if (!all.length) return 'nothing'
  return all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

export const many = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`

const NO_WORDS = {
  titles: {}, sentences: {}, units: {}, counted: {}, acts: {}, meanings: {}, fields: {}, phrases: {}, values: {},
  uses: {}, purposes: {}, cards: {}, categories: {}, countable: [],
}

// Everything about a game that no match changes, from /api/catalog.
export class Catalog {
  constructor(message) {
    this.message = message
    this.game = (message.name ?? '').replace('games/', '')
    this.title_ = message.title ?? this.game
    this.words = { ...NO_WORDS, ...(message.wording ?? {}) }
    this.components = new Map((message.components ?? []).map(({ key, value }) => [key, decode(value)]))
    this.announcements = new Map((message.announcements ?? []).map((kind) => [kind.name, kind]))
    this.acts = new Map((message.acts ?? []).map((kind) => [kind.name, kind]))
    this.graphs = message.graphs ?? []
    // The drawn board: the graph with a sheet.
    this.board = this.graphs.find((graph) => graph.sheet) ?? null
    this.areas = new Set((this.board?.areas ?? []).map((area) => area.id))
    this.tables = this.#tables()
    this.titles = this.#titles()
  }

  // Components by table and id: tables.get("leader").get("stilgar") is a map from the rest of the key to the fact.
  #tables() {
    const tables = new Map()
    for (const [key, value] of this.components) {
      const [table, id, ...rest] = key.split('.')
      if (!rest.length) continue
      if (!tables.has(table)) tables.set(table, new Map())
      const rows = tables.get(table)
      if (!rows.has(id)) rows.set(id, new Map())
      rows.get(id).set(rest.join('.'), value)
    }
    return tables
  }

  #titles() {
    const titles = new Map()
    for (const [key, value] of this.components) {
      const parts = key.split('.')
      const last = parts.pop()
      if ((last !== 'title' && last !== 'name') || typeof value !== 'string') continue
      const id = this.components.get(`${parts.join('.')}.id`) ?? parts.at(-1)
      if (!/\[\d+\]$/.test(id)) titles.set(id, parts[0] === 'faction' ? value.replace(/^House /, '') : value)
    }
    for (const area of this.areas) {
      const [whole, part] = area.split(':')
      const several = [...this.areas].filter((other) => other.split(':')[0] === whole).length > 1
      if (part !== undefined) titles.set(area, `${titles.get(whole) ?? capitals(whole)}${several ? ` (${part})` : ''}`)
      else if (!titles.has(area)) titles.set(area, /^[a-z]+_\d+$/.test(area) ? area.toUpperCase().replace('_', '-') : capitals(area))
    }
    const short = (sector) => sector.split('_').map((word) => word[0].toUpperCase()).join('')
    for (const [zone, facts] of this.tables.get('air_zone') ?? [])
      titles.set(zone, `Air Zone ${(facts.get('sectors') ?? []).map(short).join('/')}`)
    for (const token of this.tables.get('deployment_token')?.keys() ?? []) titles.set(token, `token ${capitals(token)}`)
    for (const side of ['harkonnen', 'atreides']) if (!titles.has(side)) titles.set(side, capitals(side))
    for (const [id, title] of Object.entries(this.words.titles)) titles.set(id, title)
    return titles
  }

  // The facts of a component: a map, empty if there is no such row.
  facts(table, id) {
    return this.tables.get(table)?.get(id) ?? new Map()
  }

  title(id) {
    const known = this.titles.get(id)
    if (known) return known
    if (this.words.counted[id]) return this.words.counted[id][1]
    const at = String(id).lastIndexOf('/')
    if (at > 0) {
      const [place, kind] = [id.slice(0, at), id.slice(at + 1)]
      return `${this.plural(kind, 2)} in ${this.title(place)}`
    }
    return /_/.test(id) ? capitals(id) : humanised(id)
  }

  plural(kind, number) {
    const both = this.words.counted[kind]
    return both ? both[number === 1 ? 0 : 1] : this.title(kind)
  }

  // How many there are of what a slot counts: "3 tokens in Arrakeen".
  amount(number, slot) {
    const at = slot.lastIndexOf('/')
    if (at > 0) return `${number} ${this.plural(slot.slice(at + 1), number)} in ${this.title(slot.slice(0, at))}`
    if (slot in this.words.counted) return `${number} ${this.plural(slot, number)}`
    return this.titles.has(slot) ? `${number} in ${this.title(slot)}` : `${number} ${this.title(slot)}`
  }

  // Any plain value in words.
  say(value) {
    if (value === null || value === undefined || value === '') return 'nothing'
    if (value === true || value === false) return value ? 'yes' : 'no'
    if (Array.isArray(value)) return listed(value.map((item) => this.say(item)))
    return typeof value === 'string' ? this.title(value) : String(value)
  }

  // The numbers of each kind of unit in a stack: "7 tokens and 1 elite".
  counted(stem, counts, units = []) {
    if (typeof counts === 'number') return `${counts} spice`
    const kinds = this.words.units[stem] ?? counts.map((_, at) => [units[at] ?? 'piece', `${units[at] ?? 'piece'}s`])
    return listed(counts.flatMap((n, at) => (n ? [many(n, ...kinds[at].map(humanised))] : [])))
  }

  rule(id) {
    this.rules ??= new Map((this.message.rules ?? []).map((rule) => [rule.id, rule]))
    return this.rules.get(id)
  }
}
