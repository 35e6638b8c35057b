// Sentences for the entries of a log. Templates are data of the catalog, which the terminal shares.

import { decode } from './values.js'
import { capital, humanised, listed } from './names.js'

const ON_PLACE = { set: 'v', open: 'v', exchange: 'n', place: 'v', reveal: 'v', shuffle: '', look: '' }

const cut = (letter, place) => Object.fromEntries(place.split('/').map((word, at) => [`${letter}${at}`, word]))
const numbered = (name, value) => {
  if (!name) return {}
  const parts = Array.isArray(value) ? Object.fromEntries(value.map((part, at) => [`${name}${at}`, part])) : {}
  return { ...parts, [name]: value }
}

// The parts of an event, and the key of its template: its verb with the first word of each place.
export function partsOf(event) {
  const verb = Object.keys(event).find((name) => name !== 'rule')
  const it = event[verb] ?? {}
  const both = () => ({ ...cut('s', it.source), ...cut('t', it.target) })
  let parts = {}
  let words = []
  if (verb === 'move') parts = { ...both(), face: it.face ?? '?' }
  else if (verb === 'shift') parts = { ...both(), n: it.counts }
  else if (verb === 'transfer') parts = { ...both(), n: it.amount }
  else if (verb === 'gather') parts = both()
  else if (verb in ON_PLACE)
    parts = { ...cut('k', it.key), ...numbered(ON_PLACE[verb], 'value' in it ? decode(it.value) : (it.counts ?? it.faces ?? it.face ?? null)) }
  else if (verb === 'declare') {
    parts = { seat: it.seat ?? 0, fact: it.fact, ...numbered('v', decode(it.value)) }
    words = [it.fact]
  } else if (verb === 'announce') {
    parts = { facts: (it.facts ?? []).map(decode) }
    words = [it.what]
  } else if (verb === 'whisper') words = [it.what]
  else if (verb === 'roll') {
    parts = { ...cut('k', it.label), dice: it.numbers ?? [] }
    words = [parts.k0]
  }
  if ('s0' in parts) words = [parts.s0, parts.t0]
  else if ('k0' in parts && !words.length) words = [parts.k0]
  return { verb, key: [verb, ...words].join(' '), parts, places: [it.key, it.source, it.target].filter(Boolean) }
}

// Fill parts into a template. "{n:#}" counts the units of a stack.
export function filled(template, parts, catalog, stem = '') {
  return template.replace(/\{([^}:]+)(:#)?\}/g, (_, name, count) =>
    count ? catalog.counted(stem, parts[name]) : catalog.say(parts[name]))
}

// Fill facts into a sentence; "(s)" after a number makes a plural.
export function filledFacts(sentence, facts, catalog) {
  let last = null
  return sentence.replace(/\{([^}]+)\}|\(s\)/g, (found, name) => {
    if (!name) return last === 1 ? '' : 's'
    last = facts[name]
    return catalog.say(last)
  })
}

// A fact that no template can say. An empty text suppresses the sentence; undefined leaves it to the templates.
const SPECIAL = {
  dune: {
    'set battle': (say, { v, v0, v1, v2, k1 }) => (k1 || !v ? '' : `${say(v0)} attacks ${say(v1)} in ${say(v2)}`),
    'set ally': (say, { v, k1 }) => (v ? undefined : `${say(k1)} stands alone`),
    'set atomics': (_, { v }) => (v ? undefined : ''),
    'set prediction': (_, { v }) => (v ? undefined : ''),
    'set plan': (say, { v, k1 }) => {
      if (!v) return ''
      const [dial, leader, weapon, defense, hero, haderach] = v
      const named = [leader, hero && 'cheap_hero', haderach && 'kwisatz_haderach', weapon, defense].filter(Boolean)
      return `${say(k1)} dials ${say(dial)}${named.length ? ` with ${listed(named.map(say))}` : ''}`
    },
    'announce KaramaPlayed': (say, { faction, purpose, about }, catalog) =>
      `${say(faction)} plays Karama: ${catalog.words.purposes[purpose] ?? purpose}${about ? ` ${say(about)}` : ''}`,
    'announce CardSold': (say, { buyer, price }) => `${say(buyer)} buys the card for ${price ?? 'infinity'}`,
    'announce DealMade': (say, { proposer, partner }) => `${say(proposer)} and ${say(partner)} have a deal`,
    'move spice_deck': (say, { face }) => (face === '?' ? '' : `The spice card: ${say(face)}`),
  },
  arrakis: {
    'set ban': (say, { v, k1 }) => `The Imperium ${v ? 'imposes' : 'lifts'} ${say(k1)}`,
    'set settlement': (say, { v, k1 }) => (v === null ? `The settlement in ${say(k1)} is destroyed` : undefined),
    'set figure': (say, { v, k1 }) => (String(v).startsWith('tank/') ? `${say(k1)} goes into the regeneration tank` : undefined),
    'declare objective_met': (_, { v }) => (v ? 'The Atreides’ objective is met' : undefined),
    roll: (_, { k0, k1, dice }, catalog) => rolled(catalog, k0, k1, dice),
  },
}

function rolled(catalog, kind, whose, dice) {
  const faces = catalog.components.get(kind === 'combat' ? 'combat_die.faces' : `action_dice.${whose}`)
  if (!Array.isArray(faces)) return undefined
  const tally = new Map()
  for (const n of dice) tally.set(faces[n] ?? n, (tally.get(faces[n] ?? n) ?? 0) + 1)
  return `${capital(catalog.title(whose))} rolls ${listed([...tally].map(([face, n]) => `${n} ${humanised(face)}`))}`
}

export const INFINITY = 1_000_000

// Tells a log in sentences. It remembers what it needs for the next one.
export class Teller {
  constructor(catalog, sides = new Map()) {
    this.catalog = catalog
    this.sides = sides
    this.bid = ''
    this.special = SPECIAL[catalog.game] ?? {}
  }

  seat(number) {
    const side = this.sides.get(Number(number))
    return side ? this.catalog.title(side) : `seat ${Number(number) + 1}`
  }

  // The sentence of an entry with the rule behind it and the places it names; null if it is not worth one.
  tell(entry) {
    const event = entry.event ?? entry.aside
    if (event) return this.#event(event)
    if (entry.step) return this.#step(entry.step)
    return null
  }

  #event(event) {
    const { verb, key, parts, places } = partsOf(event)
    const { catalog } = this
    if (verb === 'set' && parts.k0 === 'side') this.sides.set(Number(parts.k1), parts.v)
    if (verb === 'set' && parts.k0 === 'result' && parts.v) return { words: this.#over(parts.v), rule: event.rule ?? '', places, loud: true }
    const kind = verb === 'announce' ? catalog.announcements.get(event.announce.what) : null
    const facts = kind ? Object.fromEntries((kind.facts ?? []).map((fact, at) => [fact.name, parts.facts[at]])) : parts
    const told = { ...facts }
    if ('seat' in told) told.seat = this.sides.get(Number(told.seat)) ?? `seat ${Number(told.seat) + 1}`
    if (key === 'set side') told.k1 = Number(told.k1) + 1 // people count seats from one
    const say = (value) => catalog.say(value)
    const special = (this.special[key] ?? this.special[key.split(' ').slice(0, 2).join(' ')] ?? this.special[verb])?.(say, told, catalog)
    let words = special
    if (words === undefined) {
      const template = kind ? kind.sentence : catalog.words.sentences[key]
      words = template ? filled(template, told, catalog, key.split(' ')[1]) : ''
    }
    if (!words) return null
    const heading = words.startsWith('═')
    return { words: heading ? words.replaceAll('═', '').trim() : words, heading, rule: event.rule ?? '', places, facts: Object.values(facts) }
  }

  // A bid is not an event; it is part of the auction's frame.
  #step(step) {
    const frame = step.frames?.at(-1)
    if (frame?.name !== 'CardAuction') return null
    const facts = frameFacts(frame)
    const bid = `${facts.leader} ${facts.high}`
    const told = bid !== this.bid && facts.leader
    this.bid = bid
    if (!told) return null
    const high = facts.high >= INFINITY ? 'infinity' : facts.high
    return { words: `${this.catalog.say(facts.leader)} bids ${high}`, rule: step.rule ?? '', places: [], facts: [] }
  }

  #over([ending, winners]) {
    const who = winners?.length ? listed(new Set(winners.map((seat) => this.seat(seat)))) : 'nobody wins'
    return `The match is over: ${this.catalog.title(ending)}, ${who}`
  }
}

export const frameFacts = (frame) =>
  Object.fromEntries((frame?.fields ?? []).map(({ name, value }) => [name, decode(value)]))
