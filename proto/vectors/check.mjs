// Check the reference reader of the grammar in JavaScript against the test vectors; only Node is needed.
//
//     node proto/vectors/check.mjs [FOLDER]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { acts, key, nameOf, nextValues } from './read_grammar.mjs'

const folder = process.argv[2] ?? import.meta.dirname
const grammar = JSON.parse(readFileSync(join(folder, 'grammar.json'), 'utf8'))
const graphs = new Map(grammar.graphs.map((graph) => [graph.name, graph]))

const generic = (act) =>
  nameOf(act.name, Object.fromEntries((act.fields ?? []).map((field) => [field.name, field.value ?? {}])))

function* faults(vector) {
  const found = acts(vector.options, graphs)
  if (found.size !== vector.count) yield `${found.size} acts, not ${vector.count}`
  for (const act of vector.legal) if (!found.has(generic(act))) yield `not found: ${JSON.stringify(act)}`
  for (const act of vector.illegal ?? []) if (found.has(generic(act))) yield `found: ${JSON.stringify(act)}`
  for (const step of vector.steps ?? []) {
    const where = `${step.act} ${key(step.chosen ?? [])} ${step.field} ${key(step.partial ?? [])}`
    const { values, finished } = nextValues(vector.options, graphs, step)
    const [has, wanted] = [[...values.keys()], (step.values ?? []).map(key)].map((keys) => keys.sort().join(' '))
    if (has !== wanted) yield `${where}: ${has} can follow, not ${wanted}`
    if (finished !== (step.finished ?? false)) yield `${where}: finished is ${finished}`
  }
}

let held = 0
for (const vector of grammar.vectors) {
  const found = [...faults(vector)]
  held += found.length === 0
  for (const fault of found.slice(0, 3)) console.log(`${vector.name}: ${fault}`)
}
console.log(`${held} of ${grammar.vectors.length} vectors hold`)
process.exitCode = held === grammar.vectors.length ? 0 : 1
