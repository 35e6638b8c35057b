// What lies beside the board of classic Dune: factions in the order of the storm, and what is open on the table.

import { frameFacts, INFINITY } from './sentences.js'
import { icon, lookOf } from './pieces.js'
import { html } from './svg.js'
import { UNKNOWN } from './values.js'

const SECTORS = 18
const withElites = (counts) => {
  const [tokens = 0, elites = 0, coexisting = 0] = counts ?? []
  return elites ? `${tokens + coexisting}+${elites}★` : String(tokens + coexisting)
}

// Factions in the order in which the storm reaches their dots.
export function stormOrder(fold, catalog) {
  const dots = catalog.components.get('storm.player_dots') ?? []
  const storm = fold.places.get('storm') ?? 1
  const seated = [...fold.places].filter(([key]) => key.startsWith('dot/')).map(([key, dot]) => [key.slice(4), dots[dot]])
  const ahead = (sector) => (sector - storm + SECTORS - 1) % SECTORS
  const sides = [...fold.places].filter(([key]) => key.startsWith('side/')).map(([, side]) => side)
  return [...new Set([...seated.sort((a, b) => ahead(a[1]) - ahead(b[1])).map(([faction]) => faction), ...sides])]
}

const LINES = [
  ['spice_discard/1', 'Spice A', 'top'], ['spice_discard/2', 'Spice B', 'top'], ['storm_shown', 'Storm card', 'top'],
  ['treachery_discard', 'Discards', 'count'], ['treachery_deck', 'Treachery deck', 'count'], ['infamy', 'Out of the game', 'all'],
]

export class DuneTable {
  constructor(catalog) {
    this.catalog = catalog
    // Keys that are shown here, for the list of everything else.
    this.shown = /^(spice|hand|reserves|tanks|leaders|fought|ally|dot|side|bank|turn|storm|blow|at|leader_tanks|battle$|plan|auction_row|spice_discard|storm_shown|treachery_discard|treachery_deck|infamy|atomics|bribes|deals|moved|result|face_up|battle\/voice)/
  }

  heading(fold) {
    const turn = fold.places.get('turn')
    return turn ? `Turn ${turn}` : 'Setup'
  }

  tables(fold, { seats, asked }) {
    return [this.#factions(fold, seats, asked), this.#open(fold)]
  }

  #factions(fold, seats, asked) {
    const { catalog } = this
    const { places } = fold
    const heads = ['Faction', 'Spice', 'Cards', 'Reserves', 'Tanks', 'Leaders']
    const rows = stormOrder(fold, catalog).map((faction) => {
      const seat = seats.find((each) => each.side === faction)
      const ally = [places.get(`ally/${faction}`) ?? []].flat().filter(Boolean)
      const own = fold.mine.has(faction)
      const spice = places.get(`spice/${faction}`)
      const bribes = places.get(`bribes/${faction}`)
      const leaders = (places.get(`leaders/${faction}`) ?? []).length + (places.get(`fought/${faction}`) ?? []).length
      const cells = [
        spice === undefined ? (own ? '0' : UNKNOWN) : String(spice) + (bribes ? `+${bribes}` : ''),
        String((places.get(`hand/${faction}`) ?? []).length),
        withElites(places.get(`reserves/${faction}`)),
        withElites(places.get(`tanks/${faction}`)),
        String(leaders),
      ]
      return html('tr', { class: [own && 'own', seat && asked.has(seat.number) && 'asked'].filter(Boolean).join(' ') },
        html('th', { scope: 'row' }, html('span', { class: 'side-cell' },
          icon({ form: 'side', look: lookOf('dune', faction) }),
          html('span', { class: 'side-name', text: catalog.title(faction) }),
          ally.length ? html('span', { class: 'ally', text: `allied with ${ally.map((each) => catalog.title(each)).join(', ')}` }) : null,
          seat?.player ? html('span', { class: 'player', text: seat.player }) : null,
          seat && asked.has(seat.number) ? html('span', { class: 'to-move', text: 'to move' }) : null)),
        cells.map((text) => html('td', { text })))
    })
    if (!rows.length) return html('p', { class: 'none', text: 'The factions are being dealt.' })
    return html('table', { class: 'seats' },
      html('caption', { text: 'Factions, in the order of the storm' }),
      html('thead', {}, html('tr', {}, heads.map((text) => html('th', { scope: 'col', text })))),
      html('tbody', {}, rows))
  }

  #open(fold) {
    const { catalog } = this
    const { places } = fold
    const facts = []
    const add = (name, words, cls) => facts.push(html('dt', { text: name }), html('dd', { text: words, class: cls }))
    const auction = fold.step?.frames?.findLast((frame) => frame.name === 'CardAuction')
    if (auction) {
      const { leader, high, number } = frameFacts(auction)
      const bid = high >= INFINITY ? 'infinity' : `${high} spice`
      add(`Card ${number}`, leader ? `${bid} bid by ${catalog.title(leader)}` : 'no bid yet', 'loud')
    }
    const row = places.get('auction_row')
    if (row?.length) {
      const known = row.filter((face) => face !== UNKNOWN).map((face) => catalog.title(face))
      const backs = row.length - known.length
      add('For sale', [...known, ...(backs ? [`${backs} face down`] : [])].join(', '))
    }
    const battle = places.get('battle')
    if (battle) add('Battle', `${catalog.title(battle[0])} against ${catalog.title(battle[1])} in ${catalog.title(battle[2])}`, 'loud')
    for (const [key, plan] of places)
      if (key.startsWith('plan/') && plan) {
        const [dial, leader, weapon, defense, hero, haderach] = plan
        const parts = [leader, hero && 'cheap_hero', haderach && 'kwisatz_haderach', weapon, defense].filter(Boolean)
        add(`Plan of ${catalog.title(key.slice(5))}`, [`dials ${dial}`, ...parts.map((part) => catalog.title(part))].join(', '))
      }
    for (const [key, name, how] of LINES) {
      const pile = places.get(key)
      if (!pile?.length) continue
      const known = pile.filter((face) => face !== UNKNOWN)
      if (how === 'count') add(name, `${pile.length} cards${key === 'treachery_discard' && known.length ? `, ${catalog.title(pile.at(-1))} on top` : ''}`)
      else if (known.length) add(name, how === 'top' ? catalog.title(known.at(-1)) : known.map((face) => catalog.title(face)).join(', '))
    }
    const dead = [...places].filter(([key]) => key.startsWith('leader_tanks/'))
      .flatMap(([, faces]) => faces.filter((face) => face !== UNKNOWN).map((face) => catalog.title(face)))
    if (dead.length) add('Dead leaders', dead.join(', '))
    if (places.get('atomics')) add('Shield Wall', 'shattered')
    return html('section', { class: 'open-facts' }, html('h3', { text: 'On the table' }), html('dl', {}, facts))
  }
}
