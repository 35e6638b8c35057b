// A reference reader of the grammar for JavaScript clients, the same as read_grammar.py. It needs no package.
//
// It reads the JSON of a vector. Values stay JSON objects, so that {"flag": true} differs from {"number": 1}. It lists
// all values of a domain, which is the simplest way, not the fastest.

const NOTHING = {}

// A text that is the same for equal values, and different for others.
export function key(value) {
  if (Array.isArray(value)) return `[${value.map(key).join()}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.keys(value).sort().map((name) => `${name}:${key(value[name])}`).join()}}`
}

const same = (one, other) => key(one) === key(other)
const listed = (value) => value.list.items ?? []
const asList = (items) => ({ list: items.length ? { items } : {} })

// Texts are sorted by code point, as UTF-8 bytes are; JavaScript compares UTF-16 units.
const byCodePoint = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const bySize = (one, other) =>
  'number' in one && 'number' in other ? one.number - other.number : byCodePoint(one.text, other.text)

function* combinations(items, size, from = 0) {
  if (size === 0) yield []
  else for (let at = from; at <= items.length - size; at += 1)
    for (const rest of combinations(items, size - 1, at + 1)) yield [items[at], ...rest]
}

function* permutations(items) {
  if (items.length === 0) yield []
  for (let at = 0; at < items.length; at += 1)
    for (const rest of permutations(items.toSpliced(at, 1))) yield [items[at], ...rest]
}

function* product(lists) {
  if (lists.length === 0) yield []
  else for (const first of lists[0]) for (const rest of product(lists.slice(1))) yield [first, ...rest]
}

const count = (low, high) => Array.from({ length: Math.max(0, high - low + 1) }, (_, n) => ({ number: low + n }))

const READERS = {
  * oneOf(it) {
    yield* it.items
  },
  * range(it) {
    yield* count(it.low ?? 0, it.high ?? 0)
  },
  * subset(it) {
    const items = it.items ?? []
    for (let size = it.low ?? 0; size <= Math.min(it.high ?? 0, items.length); size += 1)
      for (const taken of combinations(items, size)) yield asList(taken.sort(bySize))
  },
  * alloc(it) {
    for (const given of product(it.caps.map((cap) => count(0, cap)))) {
      const total = given.reduce((sum, item) => sum + item.number, 0)
      if (total >= (it.low ?? 0) && total <= (it.high ?? 0)) yield asList(given)
    }
  },
  * order(it) {
    for (const items of permutations(it.items ?? [])) yield asList(items)
  },
  * path(it, graphs) {
    const near = new Map(graphs.get(it.graph).areas.map((area) => [area.id, area.neighbours ?? []]))
    const walks = [[it.start]]
    while (walks.length) {
      const walk = walks.pop()
      const last = walk.at(-1)
      if (walk.length > 1 && (!it.ends || (it.ends.items ?? []).includes(last)))
        yield asList(walk.map((text) => ({ text })))
      if (walk.length > it.steps || (walk.length > 1 && (it.stops ?? []).includes(last))) continue
      for (const area of near.get(last))
        if (!walk.includes(area) && !(it.blocked ?? []).includes(area)) walks.push([...walk, area])
    }
  },
}

// Every value of a domain, each once.
export function values(domain, graphs) {
  const [kind, it] = Object.entries(domain).find(([name]) => name !== 'rule')
  return [...new Map([...READERS[kind](it, graphs)].map((value) => [key(value), value])).values()]
}

// What a field adds to a linear constraint.
function addend(term, value) {
  if (term.table) return term.table.find((row) => same(row.value ?? NOTHING, value))?.number ?? 0
  if (term.weights) return listed(value).reduce((sum, item, at) => sum + item.number * term.weights[at], 0)
  const weight = term.weight ?? 0
  if (value.list) {
    const items = listed(value)
    return weight * (items[0] && 'number' in items[0] ? items.reduce((sum, it) => sum + it.number, 0) : items.length)
  }
  return weight * Number(value.number ?? value.flag ?? 0)
}

// Whether a constraint holds for the fields of an act.
export function holds(constraint, act) {
  const { clause, linear, distinct, rows } = constraint
  if (clause) {
    const among = (it) => (it.values ?? []).some((value) => same(value, act[it.field]))
    return clause.literals.some((it) => among(it) === (it.wanted ?? false))
  }
  if (linear) {
    const total = linear.terms.reduce((sum, term) => sum + addend(term, act[term.field]), 0)
    return total >= (linear.low ?? total) && total <= (linear.high ?? total)
  }
  if (distinct) {
    const given = distinct.names.map((name) => act[name]).filter((value) => !same(value, NOTHING))
    return new Set(given.map(key)).size === given.length
  }
  const given = rows.names.map((name) => act[name])
  return rows.rows.some((row) => same(row.items ?? [], given))
}

// Every legal act of a choice, as its fields.
function* actsOf(choice, graphs) {
  const fields = choice.fields ?? []
  for (const picked of product(fields.map((field) => values(field.domain, graphs)))) {
    const act = Object.fromEntries(fields.map((field, at) => [field.name, picked[at]]))
    if ((choice.constraints ?? []).every((constraint) => holds(constraint, act))) yield act
  }
}

// The key under which `acts` lists an act.
export const nameOf = (name, fields) => key([name, fields])

// Every legal act by its key.
export function acts(options, graphs) {
  const found = new Map()
  for (const choice of options.choices)
    for (const act of actsOf(choice, graphs)) found.set(nameOf(choice.act, act), act)
  return found
}

// The elements of a value that are left after the first ones, or after some of a subset; undefined if it differs.
function after(partial, whole, ordered) {
  if (ordered) return same(whole.slice(0, partial.length), partial) ? whole.slice(partial.length) : undefined
  const rest = [...whole]
  for (const element of partial) {
    const at = rest.findIndex((other) => same(other, element))
    if (at < 0) return undefined
    rest.splice(at, 1)
  }
  return rest
}

// What can follow in an act that is being composed, by key, and whether the field can end here.
//
// An act that begins as the step says is looked for among all legal acts. For questions with millions of acts search
// instead, as docs/protocol.md says.
export function nextValues(options, graphs, step) {
  const partial = step.partial ?? []
  const found = new Map()
  let finished = false
  for (const choice of options.choices.filter((each) => each.act === step.act)) {
    const subset = 'subset' in choice.fields.find((field) => field.name === step.field).domain
    for (const act of actsOf(choice, graphs)) {
      if ((step.chosen ?? []).some((it) => !same(act[it.name], it.value ?? NOTHING))) continue
      const value = act[step.field]
      if (!step.compound) {
        found.set(key(value), value)
        continue
      }
      const rest = after(partial, listed(value), !subset)
      if (!rest) continue
      finished ||= rest.length === 0
      for (const element of subset ? rest : rest.slice(0, 1)) found.set(key(element), element)
    }
  }
  return { values: found, finished }
}
