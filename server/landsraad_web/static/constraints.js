// Constraints between the fields of one act. landsraad/v1/ask.proto states them.

import { decode, keyOf, same } from './values.js'

const among = (values, value) => values.some((other) => same(other, value))

// The part of one field in a sum.
export function addend(term, value) {
  if (term.table) return term.table.find(([item]) => same(item, value))?.[1] ?? 0
  if (term.weights) return (value ?? []).reduce((total, n, at) => total + n * (term.weights[at] ?? 0), 0)
  if (Array.isArray(value))
    return term.weight * (typeof value[0] === 'number' ? value.reduce((total, n) => total + n, 0) : value.length)
  return term.weight * Number(value ?? 0)
}

const KINDS = {
  clause: (it) => ({
    literals: it.literals.map(({ field, values = [], wanted = false }) => ({ field, wanted, values: values.map(decode) })),
    fields: it.literals.map((literal) => literal.field),
    holds(act) {
      return this.literals.some((literal) => among(literal.values, act[literal.field]) === literal.wanted)
    },
  }),
  linear: (it) => ({
    terms: it.terms.map(({ field, weight = 0, weights, table }) => ({
      field, weight,
      weights: weights?.length ? weights : null,
      table: table?.length ? table.map((row) => [decode(row.value), row.number ?? 0]) : null,
    })),
    low: it.low ?? -Infinity,
    high: it.high ?? Infinity,
    fields: it.terms.map((term) => term.field),
    holds(act) {
      const total = this.terms.reduce((before, term) => before + addend(term, act[term.field]), 0)
      return total >= this.low && total <= this.high
    },
  }),
  distinct: (it) => ({
    fields: it.names,
    holds(act) {
      const given = this.fields.map((name) => act[name]).filter((value) => value !== null && value !== undefined)
      return new Set(given.map(keyOf)).size === given.length
    },
  }),
  rows: (it) => ({
    fields: it.names,
    rows: (it.rows ?? []).map((row) => (row.items ?? []).map(decode)),
    holds(act) {
      return this.rows.some((row) => row.every((value, at) => same(value, act[this.fields[at]])))
    },
  }),
}

export function readConstraint(message) {
  const kind = Object.keys(KINDS).find((name) => name in message)
  return { kind, rule: message.rule ?? '', ...KINDS[kind](message[kind]) }
}
