// The composition of an act by search: can the open fields of a choice be filled?
//
// The search assigns one open field after the other, small domains first, and gives up a branch as soon as a constraint
// cannot hold any more. Fields that no constraint connects are searched apart.

import { addend } from './constraints.js'
import { Alloc, OneOf, Order, Range, Subset, unique, without } from './domains.js'
import { bySize, keyOf, same } from './values.js'

const ANYTHING = [-Infinity, Infinity]

// The values of a field that is begun: those of `rest`, each joined to the elements `kept`.
export class Open {
  constructor(rest, kept = []) {
    this.rest = rest
    this.kept = kept
  }
  * values() {
    for (const value of this.rest.values()) {
      if (!this.kept.length) yield value
      else if (this.rest instanceof Subset) yield [...this.kept, ...value].sort(bySize)
      else yield [...this.kept, ...value]
    }
  }
  get empty() {
    const { rest } = this
    if (rest instanceof Subset || rest instanceof Alloc) {
      const most = rest instanceof Subset ? rest.items.length : rest.caps.reduce((a, b) => a + b, 0)
      return Math.max(rest.low, 0) > Math.min(rest.high, most)
    }
    return rest.values().next().done
  }
}

const begins = (value, partial) => partial.every((element, at) => same(element, value[at]))

// The values of a compound domain that begin with some elements; null if these do not fit.
export function begun(domain, partial) {
  const size = partial.length
  if (domain instanceof Subset || domain instanceof Order) {
    const rest = without(domain.items, partial)
    if (!rest) return null
    return new Open(domain instanceof Order ? new Order(rest) : new Subset(rest, domain.low - size, domain.high - size), partial)
  }
  if (domain instanceof Alloc) {
    const fits = size <= domain.caps.length && partial.every((n, at) => Number.isInteger(n) && n >= 0 && n <= domain.caps[at])
    if (!fits) return null
    const total = partial.reduce((a, b) => a + b, 0)
    return new Open(new Alloc(domain.slots.slice(size), domain.caps.slice(size), domain.low - total, domain.high - total), partial)
  }
  return new Open(new OneOf([...domain.values()].filter((value) => begins(value, partial))))
}

// The elements that may follow by the domain alone, and perhaps some that may not.
export function elements(domain, partial) {
  const size = partial.length
  if (domain instanceof Subset || domain instanceof Order) return unique(without(domain.items, partial) ?? [])
  if (domain instanceof Alloc) return size < domain.caps.length ? [...new Range(0, domain.caps[size]).values()] : []
  const longer = [...domain.values()].filter((value) => value.length > size && begins(value, partial))
  return unique(longer.map((value) => value[size]))
}

const total = (numbers) => numbers.reduce((a, b) => a + b, 0)

// Bounds of a term over the values of a field.
function span(term, { rest, kept }) {
  if (rest instanceof OneOf && !kept.length) {
    const worth = rest.items.map((value) => addend(term, value))
    return worth.length ? [Math.min(...worth), Math.max(...worth)] : ANYTHING
  }
  if (term.table) {
    const numbers = term.table.map(([, n]) => n)
    return [Math.min(0, ...numbers), Math.max(0, ...numbers)]
  }
  if (term.weights) {
    if (!(rest instanceof Alloc)) return ANYTHING
    const fixed = total(kept.map((n, at) => n * term.weights[at]))
    const full = rest.caps.map((cap, at) => cap * term.weights[kept.length + at])
    return [fixed + total(full.filter((n) => n < 0)), fixed + total(full.filter((n) => n > 0))]
  }
  let low, high
  if (rest instanceof Range) [low, high] = [rest.low, rest.high]
  else if (rest instanceof Alloc) {
    const fixed = total(kept)
    ;[low, high] = [fixed + Math.max(rest.low, 0), fixed + Math.min(rest.high, total(rest.caps))]
  } else if (rest instanceof Subset && ![...kept, ...rest.items].some((item) => typeof item === 'number'))
    [low, high] = [kept.length + Math.max(rest.low, 0), kept.length + Math.min(rest.high, rest.items.length)]
  else return ANYTHING
  return [Math.min(term.weight * low, term.weight * high), Math.max(term.weight * low, term.weight * high)]
}

function mayBe({ rest, kept }, wanted) {
  if (kept.length) return true
  if (rest instanceof OneOf || rest instanceof Range) return wanted.some((value) => rest.has(value))
  return true
}

function mayDiffer({ rest, kept }, unwanted) {
  if (rest instanceof OneOf && !kept.length) return rest.items.some((item) => !unwanted.some((value) => same(value, item)))
  return true
}

// False only if no values of the fields satisfy a constraint.
const MAY_HOLD = {
  linear(it, state) {
    const spans = it.terms.map((term) => span(term, state.get(term.field)))
    return total(spans.map(([low]) => low)) <= it.high && total(spans.map(([, high]) => high)) >= it.low
  },
  clause: (it, state) =>
    it.literals.some(({ field, values, wanted }) => (wanted ? mayBe : mayDiffer)(state.get(field), values)),
  rows: (it, state) => it.rows.some((row) => row.every((value, at) => mayBe(state.get(it.fields[at]), [value]))),
  distinct(it, state) {
    const fixed = it.fields
      .map((name) => state.get(name))
      .filter(({ rest, kept }) => !kept.length && rest instanceof OneOf && rest.items.length === 1)
      .map(({ rest }) => rest.items[0])
      .filter((value) => value !== null)
    return new Set(fixed.map(keyOf)).size === fixed.length
  },
}
const mayHold = (constraint, state) => MAY_HOLD[constraint.kind](constraint, state)

// A choice with some fields chosen.
export class Composition {
  constructor(choice, chosen, field) {
    this.constraints = choice.constraints
    this.values = {}
    this.state = new Map()
    this.open = new Set()
    this.possible = true
    for (const { name, domain } of choice.fields) {
      if (name in chosen && name !== field) {
        this.possible &&= domain.has(chosen[name])
        this.assign(name, chosen[name])
      } else {
        this.open.add(name)
        this.state.set(name, new Open(domain))
      }
    }
    this.links = this.linked(field)
    const left = new Set([...this.open].filter((name) => !this.links.has(name)))
    while (this.possible && left.size) {
      const part = this.linked([...left][0])
      this.possible = this.solvable(part)
      for (const name of part) left.delete(name)
    }
    this.possible &&= this.constraints
      .filter((c) => !c.fields.some((name) => this.open.has(name)))
      .every((c) => c.holds(this.values))
  }

  assign(name, value) {
    this.state.set(name, new Open(new OneOf([value])))
    this.values[name] = value
  }

  // The open fields that constraints connect with a field, directly or through others.
  linked(field) {
    const found = new Set([field])
    for (let size = 0; size !== found.size; ) {
      size = found.size
      for (const { fields } of this.constraints)
        if (fields.some((name) => found.has(name)))
          for (const name of fields) if (this.open.has(name)) found.add(name)
    }
    return found
  }

  get free() {
    return !this.constraints.some((c) => c.fields.some((name) => this.links.has(name)))
  }

  // True if one of these values of the field can be completed.
  allows(field, opened) {
    const before = this.state.get(field)
    this.state.set(field, opened)
    const found = this.solvable(this.links)
    this.state.set(field, before)
    return found
  }

  solvable(part) {
    const touching = this.constraints.filter((c) => c.fields.some((name) => part.has(name)))
    if (!touching.length) return ![...part].some((name) => this.state.get(name).empty)
    if (!touching.every((c) => mayHold(c, this.state))) return false
    const order = [...part].sort((a, b) => this.state.get(a).rest.count() - this.state.get(b).rest.count())
    const plan = order.map((name, at) => {
      const later = new Set(order.slice(at + 1))
      const mine = touching.filter((c) => c.fields.includes(name))
      const isDue = (c) => !c.fields.some((other) => later.has(other))
      return { name, due: mine.filter(isDue), pending: mine.filter((c) => !isDue(c)) }
    })
    return this.search(plan, 0)
  }

  search(plan, at) {
    if (at === plan.length) return true
    const { name, due, pending } = plan[at]
    const before = this.state.get(name)
    let found = false
    for (const value of this.narrowed(name, [...due, ...pending]).values()) {
      this.assign(name, value)
      found =
        due.every((c) => c.holds(this.values)) &&
        pending.every((c) => mayHold(c, this.state)) &&
        this.search(plan, at + 1)
      if (found) break
    }
    this.state.set(name, before)
    return found
  }

  // The values of a field within the totals that the linear constraints leave it.
  narrowed(name, constraints) {
    let opened = this.state.get(name)
    for (const it of constraints) {
      if (it.kind !== 'linear') continue
      const mine = it.terms.filter((term) => term.field === name)
      const { rest, kept } = opened
      if (mine.length !== 1 || mine[0].weights || mine[0].table || Math.abs(mine[0].weight) !== 1) continue
      if (!(rest instanceof Range || rest instanceof Alloc || rest instanceof Subset)) continue
      if (span(mine[0], opened) === ANYTHING) continue
      const spans = it.terms.filter((term) => term.field !== name).map((term) => span(term, this.state.get(term.field)))
      let low = it.low - total(spans.map(([, high]) => high))
      let high = it.high - total(spans.map(([least]) => least))
      if (mine[0].weight < 0) [low, high] = [-high, -low]
      const fixed = rest instanceof Alloc ? total(kept) : kept.length
      const narrow = Object.assign(Object.create(Object.getPrototypeOf(rest)), rest)
      narrow.low = Math.max(rest.low, low - fixed)
      narrow.high = Math.min(rest.high, high - fixed)
      opened = new Open(narrow, kept)
    }
    return opened
  }
}
