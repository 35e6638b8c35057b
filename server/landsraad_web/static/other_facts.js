// Everything on the table that no other part of the page shows: places by their names, so that new modes show at once.

import { capital, humanised } from './names.js'
import { html } from './svg.js'
import { UNKNOWN } from './values.js'

const HIDDEN = new Set(['sealed', 'quiet', 'orders', 'absent', 'content', 'result'])

export function otherFacts(fold, catalog, shown) {
  const rows = []
  for (const [key, value] of fold.places) {
    const [stem, ...rest] = key.split('/')
    const { zone, owners } = fold.layout.places.get(key)
    if (HIDDEN.has(stem) || shown.test(key) || catalog.areas.has(rest.at(-1))) continue
    if (zone.sight !== 'SIGHT_OPEN' && owners.length) continue
    rows.push([`${capital(humanised(stem))}${rest.length ? `: ${rest.map((part) => catalog.title(part)).join(' ')}` : ''}`, words(value, zone, stem, catalog)])
  }
  return html('dl', {}, rows.flatMap(([name, text]) => [html('dt', { text: name }), html('dd', { text })]))
}

function words(value, zone, stem, catalog) {
  if (zone.content === 'CONTENT_STACK') return catalog.counted(stem, value, zone.units ?? [])
  if (zone.content === 'CONTENT_PURSE' || !Array.isArray(value)) return catalog.say(value)
  const known = value.filter((face) => face !== UNKNOWN)
  if (zone.content === 'CONTENT_MARK') return catalog.say(value)
  return known.length ? `${value.length}: ${known.map((face) => catalog.title(face)).join(', ')}` : `${value.length} face down`
}
