// The form for a new match. Options come from the catalog, so new modes of a game appear by themselves.

import { capital, humanised } from './names.js'
import { html } from './svg.js'
import { decode } from './values.js'

// The game of the box: two sides in War for Arrakis, all six factions in Dune.
const USUAL = { 'games/arrakis': 2 }
export const usualSeats = (game) => USUAL[game.name] ?? Math.max(...game.seats)

const FILLS = [['house', 'a bot of the house'], ['open', 'open to anybody'], ['me', 'you']]

export function newMatchForm(games, wanted, create) {
  const details = html('details', { class: 'match-form' }, html('summary', { text: 'A match of your own: seats, options, clock' }))
  const game = select('new-game', games.map((each) => [each.name.replace('games/', ''), each.title]))
  const parts = html('div', { class: 'terms' })
  const draw = () => parts.replaceChildren(...terms(games.find((each) => each.name === `games/${game.value}`)))
  game.addEventListener('change', draw)
  if (wanted && games.some((each) => each.name === `games/${wanted}`)) {
    game.value = wanted
    details.open = true
  }
  const form = html('form', { onsubmit: (event) => { event.preventDefault(); create(read(form, game.value)) } },
    html('p', {}, html('label', { for: 'new-game', text: 'Game ' }), game), parts,
    html('p', {}, html('button', { type: 'submit', class: 'do', text: 'Create the match' })))
  details.append(form)
  draw()
  return details
}

const select = (id, pairs, more = {}) => html('select', { id, ...more }, pairs.map(([value, text]) => html('option', { value: String(value), text: String(text) })))

function terms(game) {
  const number = select('new-seats', game.seats.map((each) => [each, each]))
  number.value = String(usualSeats(game))
  const seats = html('div', { class: 'new-seats' })
  const drawSeats = () => seats.replaceChildren(...Array.from({ length: Number(number.value) }, (_, at) => {
    const fill = select(`seat-${at}`, FILLS, { class: 'seat-fill' })
    fill.value = at === 0 ? 'me' : 'house'
    return html('p', {}, html('label', { for: `seat-${at}`, text: `Seat ${at + 1}: ` }), fill)
  }))
  number.addEventListener('change', drawSeats)
  drawSeats()
  return [
    html('p', {}, html('label', { for: 'new-seats', text: 'Players ' }), number), seats,
    html('fieldset', {}, html('legend', { text: 'Options' }), (game.options ?? []).map(option)),
    html('fieldset', {}, html('legend', { text: 'Clock, in seconds; 0 for none' }),
      [['decision', 'for each decision'], ['bank', 'in the bank'], ['increment', 'added after each decision']].map(([name, words]) =>
        html('p', {}, html('label', { for: `clock-${name}`, text: `${words} ` }), html('input', { id: `clock-${name}`, type: 'number', min: 0, max: 86400, value: '0', data: { clock: name } })))),
    html('p', {}, html('label', { for: 'new-title', text: 'Title ' }), html('input', { id: 'new-title', maxlength: 80 })),
    html('p', {}, html('label', {}, html('input', { id: 'new-private', type: 'checkbox' }), ' Private: only those who get your invitation see it')),
  ]
}

// One option: a box, a list, or a number, as its values say.
function option(spec) {
  const value = decode(spec.default)
  const id = `option-${spec.name}`
  const data = { option: spec.name, kind: typeof value, default: String(value) }
  const values = (spec.values ?? []).map(decode)
  const field = typeof value === 'boolean' ? html('input', { id, type: 'checkbox', checked: value, data })
    : values.length ? select(id, values.map((each) => [each, typeof each === 'string' ? humanised(each) : each]), { data })
      : html('input', { id, type: typeof value === 'number' ? 'number' : 'text', min: spec.low ?? null, max: spec.high || null, value: String(value ?? ''), data })
  if (values.length) field.value = String(value)
  return html('p', { class: 'option' }, html('label', { for: id, text: `${capital(humanised(spec.name))} ` }), field,
    spec.meaning ? html('small', { class: 'none', text: ` ${spec.meaning}` }) : null)
}

function read(form, game) {
  const fills = [...form.querySelectorAll('.seat-fill')].map((each) => each.value)
  const options = {}
  for (const field of form.querySelectorAll('[data-option]')) {
    const { option: name, kind } = field.dataset
    const value = kind === 'boolean' ? field.checked : kind === 'number' ? Number(field.value) : field.value
    // Defaults go without saying: some options belong to a mode, and name it by being there.
    if (String(value) !== field.dataset.default) options[name] = value
  }
  const clock = Object.fromEntries([...form.querySelectorAll('[data-clock]')].map((each) => [each.dataset.clock, Number(each.value) || 0]))
  const mine = fills.indexOf('me')
  return {
    game, options,
    seats: fills.map((fill) => ({ fill: fill === 'house' ? 'house' : 'open' })),
    ...(mine < 0 ? {} : { join: mine }),
    ...(clock.decision || clock.bank ? { clock } : {}),
    title: form.querySelector('#new-title').value,
    unlisted: form.querySelector('#new-private').checked,
  }
}
