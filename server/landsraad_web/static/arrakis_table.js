// What lies beside the board of War for Arrakis: tracks, the Imperium, dice on the dashboards, tanks, cards.

import { cardText } from './cards.js'
import { capital, humanised, many } from './names.js'
import { html, svg, circle, text } from './svg.js'
import { draw, icon, lookOf } from './pieces.js'
import { UNKNOWN } from './values.js'

const STEPS = 10
const POWERS = { choam: 'CHOAM', spacing_guild: 'Spacing Guild', landsraad: 'Landsraad' }
const SIDES = ['harkonnen', 'atreides']
const total = (counts) => (counts ?? []).reduce((sum, n) => sum + n, 0)

export class ArrakisTable {
  constructor(catalog) {
    this.catalog = catalog
    this.shown = /^(supremacy|marker|imperium|ban|dice|figure|hand|supply|side|legion|settlement|sietch|tokens|worm|vehicle|station|spice$|reserve|prescience|discard|deck|round|edition|result|card|objectives|powers|bene_gesserit|planet)/
  }

  heading(fold) {
    const round = fold.places.get('round')
    return round ? `Round ${round}` : 'Setup'
  }

  tables(fold, { seats, asked }) {
    return [this.#tracks(fold), ...SIDES.map((side) => this.#side(fold, side, seats, asked)), this.#cards(fold)]
  }

  #tracks(fold) {
    const { places } = fold
    const tracks = [['Supremacy', places.get('supremacy') ?? 0, 'harkonnen', null]]
    const goals = this.#goals(fold)
    for (const key of fold.layout.places.keys())
      if (key.startsWith('marker/')) {
        const marker = key.slice(7)
        tracks.push([capital(this.catalog.title(marker)), places.get(key) ?? 0, 'atreides', goals.get(marker)])
      }
    const imperium = [...fold.layout.places.keys()].filter((key) => key.startsWith('imperium/')).map((key) => {
      const power = key.slice(9)
      const banned = places.get(`ban/${power}`)
      const title = this.catalog.facts('ban', power).get('title') ?? ''
      return html('li', { class: banned ? 'banned' : '' },
        html('span', { class: 'fact-name', text: POWERS[power] ?? capital(humanised(power)) }), ' ',
        html('strong', { text: String(places.get(key) ?? 0) }),
        banned ? html('span', { class: 'ban', text: ` ban: ${title} (${cardText(this.catalog, power)})` }) : null)
    })
    const spice = [['spice', 'Harvested spice'], ['reserve', 'Reserve']].filter(([key]) => places.has(key))
    return html('section', { class: 'tracks' },
      html('h3', { text: 'Tracks' }),
      html('ul', { class: 'track-list' }, tracks.map((each) => html('li', {}, this.#track(...each)))),
      html('ul', { class: 'imperium', 'aria-label': 'Imperium markers' }, imperium),
      spice.map(([key, name]) => html('p', { class: 'fact' }, html('span', { class: 'fact-name', text: name }), ' ', html('strong', { text: String(places.get(key)) }))))
  }

  // The steps that the objective of a viewing Atreides seat demands.
  #goals(fold) {
    const objective = (fold.places.get('objectives') ?? []).find((card) => card !== UNKNOWN)
    return objective ? this.catalog.facts('objective', objective) : new Map()
  }

  #track(name, step, side, goal) {
    const most = Math.max(STEPS, step, goal ?? 0)
    const wide = 100
    const at = (n) => [(n + 0.5) * wide, 50]
    return [
      html('span', { class: 'track-name', text: name }),
      svg('svg', { viewBox: `0 0 ${(most + 1) * wide} 100`, class: 'track', role: 'img', 'aria-label': `${name}: ${step} of ${most}${goal ? `, objective ${goal}` : ''}` },
        Array.from({ length: most + 1 }, (_, n) => circle(at(n), n === goal ? 26 : 7, n === goal ? 'goal' : 'faint')),
        draw({ form: 'legion', look: lookOf('arrakis', side), number: 0, leaders: 0 }, at(Math.min(step, most)), 42).slice(0, 1),
        text(at(Math.min(step, most)), String(step), 52, 'on-dark bold')),
    ]
  }

  #side(fold, side, seats, asked) {
    const { catalog } = this
    const { places } = fold
    const own = seats.filter((seat) => seat.side === side)
    const sum = (prefix) => [...places].filter(([key]) => key.startsWith(prefix)).reduce((n, [, counts]) => n + total(counts.slice(0, 3)), 0)
    const hands = own.flatMap((seat) => [...places].filter(([key]) => new RegExp(`^hand/[^/]+/${seat.number}$`).test(key)))
    const cards = hands.reduce((n, [, pieces]) => n + pieces.length, 0)
    const decks = hands.map(([key, pieces]) => `${pieces.length} ${catalog.title(key.split('/')[1])}`)
    const facts = [
      ['Units', `${sum(`legion/${side}/`)} on the board, ${total((places.get(`supply/${side}`) ?? []).slice(0, 3))} in supply`],
      ['Cards', cards ? `${cards}${decks.length ? ` (${decks.join(', ')})` : ''}` : 'none'],
    ]
    const onBoard = []
    const tank = []
    const aside = []
    for (const [key, where] of places) {
      const leader = key.startsWith('figure/') ? key.slice(7) : ''
      const power = leader && (catalog.facts('leader', leader).get('side') ?? '')
      if (!leader || (/harkonnen|corrino/.test(power) ? 'harkonnen' : 'atreides') !== side || leader === 'wild_maker') continue
      if (catalog.areas.has(where)) onBoard.push(`${catalog.title(leader)} (${catalog.title(where)})`)
      else if (String(where).startsWith('tank/')) tank.push([Number(where.slice(5)), catalog.title(leader)])
      else if (where === 'aside') aside.push(catalog.title(leader))
    }
    if (onBoard.length) facts.push(['Leaders', onBoard.join(', ')])
    if (aside.length) facts.push(['Ready', aside.join(', ')])
    if (tank.length) facts.push(['Regeneration tank', tank.sort((a, b) => a[0] - b[0]).map(([slot, name]) => `${slot + 1}. ${name}`).join(', ')])
    const waits = own.some((seat) => asked.has(seat.number))
    const players = own.map((seat) => seat.player).filter(Boolean).join(', ')
    return html('section', { class: `side-panel ${waits ? 'asked' : ''}` },
      html('h3', {}, icon({ form: 'side', look: lookOf('arrakis', side) }), html('span', { text: catalog.title(side) }),
        players ? html('span', { class: 'player', text: players }) : null,
        waits ? html('span', { class: 'to-move', text: 'to move' }) : null),
      this.#dice(fold, side),
      html('dl', {}, facts.flatMap(([name, words]) => [html('dt', { text: name }), html('dd', { text: words })])))
  }

  // The dashboards of a side: its boxes with the dice that lie in them.
  #dice(fold, side) {
    const { catalog } = this
    const boards = [...(catalog.tables.get('dashboard') ?? [])].filter(([id, facts]) =>
      facts.get('faction') === side && [...fold.layout.places.keys()].some((key) => key.startsWith(`dice/${id}/`)))
    const filled = (id) => [...fold.places.keys()].some((key) => key.startsWith(`dice/${id}/`))
    return boards.filter(([id], _, all) => all.length === 1 || filled(id)).map(([id, facts]) => {
      const boxes = [...fold.layout.places.keys()].filter((key) => key.startsWith(`dice/${id}/`))
      const cells = boxes.map((key) => {
        const name = key.split('/')[2]
        const [dice = 0, tokens = 0] = fold.places.get(key) ?? []
        const pips = `${'■'.repeat(dice)}${'◆'.repeat(tokens)}`
        return html('li', { class: dice + tokens ? 'filled' : '', 'aria-label': `${capital(humanised(name))}: ${many(dice, 'die', 'dice')}${tokens ? `, ${many(tokens, 'Bene Gesserit token')}` : ''}` },
          html('span', { class: 'pips', 'aria-hidden': 'true', text: pips || '·' }),
          html('span', { class: 'box-name', 'aria-hidden': 'true', text: humanised(name) }))
      })
      return html('div', { class: 'dashboard' },
        html('p', { class: 'dashboard-name', text: `Dice of ${facts.get('title') ?? catalog.title(id)}` }),
        html('ul', { class: 'dice' }, cells))
    })
  }

  #cards(fold) {
    const { catalog } = this
    const rows = [['prescience_row', 'Foreseen'], ['prescience_claimed', 'Claimed']].flatMap(([key, name]) => {
      const cards = (fold.places.get(key) ?? []).filter((card) => card !== UNKNOWN)
      return cards.map((card) => html('li', { class: 'card' },
        html('span', { class: 'card-mark', text: name }),
        html('span', { class: 'card-title', text: catalog.title(card) }),
        html('span', { class: 'card-text', text: cardText(catalog, card) })))
    })
    return html('section', { class: 'open-facts' },
      html('h3', { text: 'Prescience cards' }),
      rows.length ? html('ul', { class: 'cards' }, rows) : html('p', { class: 'none', text: 'none' }))
  }
}
