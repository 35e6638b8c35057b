// Own hand and private facts, always in sight, with what each card does.

import { cardText, leaderStrength } from './cards.js'
import { capital, humanised } from './names.js'
import { html } from './svg.js'
import { UNKNOWN } from './values.js'

const TITLES = {
  hand: 'Hand', traitors: 'Traitors', leaders: 'Leaders', spice: 'Spice', objectives: 'Objective', prediction: 'Prediction',
  dealt: 'To choose from', searched: 'Looking through', drawn_token: 'Drawn token', captured: 'Captives', foreseen: 'Foreseen plan',
}
const ORDER = Object.keys(TITLES)
// Piles into which a seat may look, with what is on top of them.
const KNOWN = { auction_row: 'For sale, known to you', spice_deck: 'Next spice card', storm_next: 'Next storm', prescience_deck: 'Next prescience' }
const SKIPPED = new Set(['sealed', 'quiet', 'orders'])

// [title, stem, pieces] of what a seat alone sees.
export function privateFacts(fold, catalog) {
  const found = []
  for (const [key, { zone, owners }] of fold.layout.places) {
    const [stem, ...rest] = key.split('/')
    const value = fold.places.get(key)
    const own = owners.some((owner) => fold.mine.has(owner)) && zone.sight !== 'SIGHT_OPEN'
    if (!own || SKIPPED.has(stem) || catalog.areas.has(rest.at(-1))) continue
    if (value === undefined && stem !== 'spice' && stem !== 'hand') continue
    const more = stem === 'hand' && rest.length > 1 ? `: ${catalog.title(rest[0])}` : ''
    found.push([`${TITLES[stem] ?? capital(humanised(stem))}${more}`, stem, value ?? (stem === 'spice' ? 0 : [])])
  }
  for (const [key, title] of Object.entries(KNOWN)) {
    const known = (fold.places.get(key) ?? []).filter((face) => face !== UNKNOWN)
    const told = (fold.shown.get(key) ?? []).filter((face) => face !== UNKNOWN)
    if (known.length > told.length) found.push([title, key, known])
  }
  const rank = (stem) => (ORDER.includes(stem) ? ORDER.indexOf(stem) : ORDER.length)
  const filled = found.filter(([, stem, value]) => stem !== 'hand' || value.length)
  if (filled.length < found.length && !filled.some(([, stem]) => stem === 'hand')) filled.push(['Hand', 'hand', []])
  return filled.sort((a, b) => rank(a[1]) - rank(b[1]))
}

// A card with what it does; a leader of classic Dune is said by the strength alone.
function card(catalog, id, strength) {
  const words = id === UNKNOWN || strength !== undefined ? '' : cardText(catalog, id)
  return html('li', { class: 'card', data: { card: id } },
    html('span', { class: 'card-title', text: id === UNKNOWN ? 'face down' : catalog.title(id) }),
    strength === undefined ? null : html('span', { class: 'card-mark', 'aria-label': `strength ${strength}`, text: strength }),
    words ? html('span', { class: 'card-text', text: words }) : null)
}

export class Hand {
  constructor(node, catalog) {
    this.node = node
    this.catalog = catalog
    this.written = ''
  }

  update(fold) {
    const seated = fold.seat !== null
    this.node.hidden = !seated
    if (!seated) return
    const facts = privateFacts(fold, this.catalog)
    const side = fold.places.get(`side/${fold.seat}`)
    const shared = [...fold.places].filter(([key, other]) => key.startsWith('side/') && other === side).length > 1
    const parts = shared ? (fold.places.get(`powers/${fold.seat}`) ?? []).map((part) => this.catalog.title(part)).join(', ') : ''
    const written = JSON.stringify([side, parts, facts])
    if (written === this.written) return
    this.written = written
    this.node.querySelector('h2').textContent = side ? `You are ${this.catalog.title(side)}${parts ? `: ${parts}` : ''}` : `Your seat: ${fold.seat + 1}`
    this.node.querySelector('.panel-body').replaceChildren(...facts.map(([title, stem, value]) => this.#row(title, stem, value)))
  }

  #row(title, stem, value) {
    const { catalog } = this
    if (!Array.isArray(value) || stem === 'prediction' || stem === 'foreseen')
      return html('p', { class: 'fact' }, html('span', { class: 'fact-name', text: title }), ' ', html('strong', { text: catalog.say(value) }))
    const cards = value.map((id) => card(catalog, id, leaderStrength(catalog, id)))
    const short = value.every((id) => id === UNKNOWN || leaderStrength(catalog, id) !== undefined)
    return html('div', { class: `cards of-${stem}` },
      html('h3', { text: `${title} (${value.length})` }),
      cards.length ? html('ul', { class: short ? 'chips' : '' }, cards) : html('p', { class: 'none', text: 'none' }))
  }
}
