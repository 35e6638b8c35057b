// Compare the page's fold and grammar with test vectors: node twins.mjs STATIC GRAMMAR.json FOLD.json
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, grammarFile, foldFile] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(join(folder, name)))
const { Fold, Layout } = await load('fold.js')
const { acts, contains, nextValues, readOptions } = await load('grammar.js')
const { readGraphs } = await load('domains.js')
const { decode, keyOf } = await load('values.js')
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

const fieldsOf = (rows) => Object.fromEntries((rows ?? []).map((row) => [row.name, decode(row.value)]))
const sorted = (values) => values.map(keyOf).sort().join(' ')

function* faultsOfGrammar(vector, graphs) {
  const options = readOptions(vector.options, graphs)
  if (vector.count !== undefined) {
    const count = [...acts(options)].length
    if (count !== vector.count) yield `${count} acts, not ${vector.count}`
  }
  for (const act of vector.legal ?? [])
    if (!contains(options, act.name, fieldsOf(act.fields))) yield `not contained: ${JSON.stringify(act)}`
  for (const act of vector.illegal ?? [])
    if (contains(options, act.name, fieldsOf(act.fields))) yield `contained: ${JSON.stringify(act)}`
  for (const step of vector.steps ?? []) {
    const where = `${step.act} ${keyOf(fieldsOf(step.chosen))} ${step.field}`
    const partial = (step.partial ?? []).map(decode)
    const found = nextValues(options, step.act, fieldsOf(step.chosen), partial, step.field)
    const [has, wanted] = [sorted(found.values), sorted((step.values ?? []).map(decode))]
    if (has !== wanted) yield `${where} ${keyOf(partial)}: ${has} can follow, not ${wanted}`
    if (found.finished !== (step.finished ?? false)) yield `${where}: finished is ${found.finished}`
  }
}

const plain = (rows) => Object.fromEntries((rows ?? []).map((row) => [row.key, row.value ?? {}]))
const stable = (value) =>
  JSON.stringify(value, (_, it) =>
    it && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it)

function difference(fold, wanted) {
  const found = fold.observation()
  for (const part of ['places', 'shown'])
    if (stable(plain(found[part])) !== stable(plain(wanted[part]))) {
      const [has, want] = [plain(found[part]), plain(wanted[part])]
      const key = [...new Set([...Object.keys(has), ...Object.keys(want)])].find((k) => stable(has[k] ?? null) !== stable(want[k] ?? null))
      return `${part} ${key}: ${stable(has[key] ?? null)}, not ${stable(want[key] ?? null)}`
    }
  if (stable(found.step) !== stable(wanted.step ?? null)) return 'step'
  if (stable(found.question) !== stable(wanted.question ?? null)) return 'question'
  return ''
}

function* faultsOfFold(vector) {
  const layout = new Layout(vector.layout)
  const seat = vector.seat ?? null
  const wanted = new Map((vector.observations ?? []).map((each) => [Number(each.number), each]))
  const folds = [['from the start', new Fold(layout, seat)]]
  let saved = null
  for (const entry of vector.entries.entries) {
    for (const [, fold] of folds) fold.add(entry)
    const observation = wanted.get(folds[0][1].number)
    if (!observation) continue
    for (const [name, fold] of folds) {
      const wrong = difference(fold, observation)
      if (wrong) yield `${name}, entry ${fold.number}: ${wrong}`
    }
    if (folds.length < 8) folds.push([`from ${observation.number}`, Fold.from(layout, seat, observation)])
    saved ??= folds[0][1].save()
  }
  if (!saved) return
  const again = new Fold(layout, seat).restore(saved)
  for (const entry of vector.entries.entries.slice(again.number)) again.add(entry)
  if (difference(again, folds[0][1].observation())) yield 'a restored position goes on differently'
}

let held = 0
let all = 0
function check(name, faults) {
  const found = [...faults].slice(0, 3)
  all += 1
  held += found.length === 0
  for (const fault of found) console.log(`${name}: ${fault.slice(0, 600)}`)
}
for (const file of [grammarFile, foldFile]) {
  const vectors = read(file)
  for (const vector of vectors.vectors)
    check(vector.name, 'options' in vector ? faultsOfGrammar(vector, readGraphs(vectors.graphs)) : faultsOfFold(vector))
}
console.log(`${held} of ${all} vectors hold`)
process.exitCode = held === all ? 0 : 1
