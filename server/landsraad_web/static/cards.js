// What a card, a leader or a token does, in short: from the components of the catalog and our own words.

import { capital, humanised, many } from './names.js'

const ROW = /^(requires|rewards|special)\[(\d+)\]\.(.+)$/

// The rows of a card as words: "spend action die and send to tank (leader paul)".
function rows(catalog, facts, part) {
  const found = new Map()
  for (const [key, value] of facts) {
    const [, table, at, field] = ROW.exec(key) ?? []
    if (table !== part) continue
    if (!found.has(at)) found.set(at, { op: '', more: [], marker: '', steps: 0 })
    found.get(at)[field] = value
    if (field === 'op') found.get(at).op = humanised(value)
    else if (!['', false, 0, 99, 'any'].includes(value) && !(Array.isArray(value) && !value.length))
      found.get(at).more.push(`${humanised(field)} ${catalog.say(value)}`)
  }
  return [...found.values()].map(({ op, more, marker, steps }) => marker && steps && op === 'advance marker' ? `${capital(catalog.title(marker))} +${steps}` : (more.length ? `${op} (${more.join(', ')})` : op)).join(' and ')
}

const TELLERS = {
  treachery: (catalog, id, facts) => catalog.words.cards[id] ?? catalog.words.categories[facts.get('category')] ?? '',
  planning_card: (_, __, facts) => facts.get('effect') ?? '',
  prescience_card: (catalog, _, facts) => `needs ${rows(catalog, facts, 'requires')}; gives ${rows(catalog, facts, 'rewards')}`,
  objective: (catalog, _, facts) =>
    `wins with ${[...facts].filter(([, n]) => typeof n === 'number').map(([marker, n]) => `${catalog.title(marker)} at ${n}`).join(', ')}`,
  leader: (catalog, _, facts) => {
    const fights = `a Special result is ${many(facts.get('combat.hits') ?? 0, 'hit')} and ${many(facts.get('combat.shields') ?? 0, 'shield')}`
    const special = rows(catalog, facts, 'special')
    return special ? `${fights}; ${special}` : fights
  },
  deployment_token: (_, __, facts) =>
    [...facts].filter(([key, n]) => n && /^(units\.|leader$)/.test(key)).map(([key, n]) => many(n, humanised(key.replace('units.', '')))).join(', '),
  ban: (_, __, facts) => facts.get('effect') ?? '',
}

export function leaderStrength(catalog, id) {
  for (const [key, value] of catalog.components)
    if (value === id && /^faction\..*\.id$/.test(key)) return catalog.components.get(key.replace(/\.id$/, '.strength'))
  return undefined
}

// What a piece does; empty if there is nothing to say.
export function cardText(catalog, id) {
  for (const [table, tell] of Object.entries(TELLERS)) {
    const facts = catalog.tables.get(table)?.get(id)
    if (facts) return tell(catalog, id, facts)
  }
  const strength = leaderStrength(catalog, id)
  return strength === undefined ? '' : `leader of strength ${strength}`
}
