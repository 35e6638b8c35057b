// The grammar of answers: which acts are legal, and which values can follow in one that is being composed.
//
// An act is a name with a map of its fields. Values are plain (values.js): null is nothing.

import { Composition, Open, begun, elements } from './composition.js'
import { readConstraint } from './constraints.js'
import { OneOf, Subset, readDomain, unique } from './domains.js'
import { bySize, keyOf } from './values.js'

const ANYTHING = [-Infinity, Infinity]

// Read an Options message. `graphs` comes from `readGraphs`.
export function readOptions(message, graphs) {
  return {
    choices: (message?.choices ?? []).map((choice) => ({
      act: choice.act,
      rule: choice.rule ?? '',
      fields: (choice.fields ?? []).map(({ name, domain }) => ({ name, domain: readDomain(domain, graphs) })),
      constraints: (choice.constraints ?? []).map(readConstraint),
    })),
  }
}

const complete = (choice, act) => Object.fromEntries(choice.fields.map(({ name }) => [name, act[name] ?? null]))

// The first fault of an act in one choice: a field outside of its domain, or a constraint that does not hold.
export function faultIn(choice, fields) {
  const names = choice.fields.map((field) => field.name)
  const foreign = Object.keys(fields).find((name) => !names.includes(name))
  if (foreign) return { field: foreign, rule: choice.rule }
  const act = complete(choice, fields)
  for (const { name, domain } of choice.fields)
    if (!domain.has(act[name])) return { field: name, rule: domain.rule || choice.rule }
  const broken = choice.constraints.find((constraint) => !constraint.holds(act))
  return broken ? { field: broken.fields.join(', '), rule: broken.rule || choice.rule } : null
}

export const contains = (options, name, fields) =>
  options.choices.some((choice) => choice.act === name && !faultIn(choice, fields))

// Yield every legal act of a choice, checking each constraint as soon as its fields are set.
function* actsOf(choice, at = 0, act = {}) {
  if (at === choice.fields.length) {
    yield { ...act }
    return
  }
  const { name, domain } = choice.fields[at]
  const known = new Set(choice.fields.slice(0, at + 1).map((field) => field.name))
  const due = choice.constraints.filter((c) => c.fields.includes(name) && c.fields.every((field) => known.has(field)))
  for (const value of domain.values()) {
    act[name] = value
    if (due.every((constraint) => constraint.holds(act))) yield* actsOf(choice, at + 1, act)
  }
  delete act[name]
}

// Yield legal acts, each once: [name, fields].
export function* acts(options, limit = Infinity) {
  const seen = new Set()
  for (const choice of options.choices)
    for (const fields of actsOf(choice)) {
      const key = keyOf([choice.act, choice.fields.map(({ name }) => fields[name])])
      if (seen.has(key)) continue
      if (seen.size >= limit) return
      seen.add(key)
      yield [choice.act, fields]
    }
}

// The only legal act, or null if there are several.
export function onlyAct(options) {
  const few = [...acts(options, 2)]
  return few.length === 1 ? few[0] : null
}

// What can follow in one choice. See `nextValues`.
function nextOfChoice(choice, chosen, partial, field) {
  field ??= choice.fields.find(({ name }) => !(name in chosen))?.name
  if (field === undefined) return null
  const { domain } = choice.fields.find(({ name }) => name === field)
  const step = { field, domain, compound: domain.compound, partial, values: [], finished: false }
  const draft = new Composition(choice, chosen, field)
  if (!draft.possible) return step
  if (!domain.compound) {
    const values = [...domain.values()]
    step.values = draft.free ? values : values.filter((value) => draft.allows(field, new Open(new OneOf([value]))))
    return step
  }
  if (!begun(domain, partial)) return step
  const begin = domain instanceof Subset ? [...partial].sort(bySize) : partial
  for (const element of elements(domain, begin)) {
    const opened = begun(domain, [...begin, element])
    if (opened && draft.allows(field, opened)) step.values.push(element)
  }
  step.finished = domain.has(begin) && draft.allows(field, new Open(new OneOf([begin])))
  return step
}

// What can follow in an act of this name: exactly the values with which it can be completed to a legal act.
//
// `chosen` maps fields to values. The field in question is `field`, or the first one that is not chosen; without any the
// act is complete and the answer is null. For a compound field `partial` holds the elements so far, and `finished`
// tells whether the field can end with them.
export function nextValues(options, name, chosen = {}, partial = [], field = undefined) {
  const steps = options.choices
    .filter((choice) => choice.act === name)
    .map((choice) => nextOfChoice(choice, chosen, partial, field))
    .filter(Boolean)
  if (!steps.length) return null
  const useful = steps.filter((step) => step.finished || step.values.length)
  const [first, ...others] = useful.length ? useful : steps.slice(0, 1)
  return {
    ...first,
    values: others.length ? unique([first, ...others].flatMap((step) => step.values)) : first.values,
    finished: [first, ...others].some((step) => step.finished),
  }
}
