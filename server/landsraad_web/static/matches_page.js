// The list of matches: those that can be joined, watched or replayed.

import { getJson } from './fetch.js'
import { html } from './svg.js'

const PARTS = [
  ['Live now', '/api/matches?state=live', 'Nothing is being played.'],
  ['Open seats', '/api/matches?state=open', 'No match waits for players.'],
  ['Replays', '/api/replays?', 'No match has ended yet.'],
]

function row(match) {
  const id = match.name.split('/')[1]
  const over = match.state === 'MATCH_STATE_OVER'
  const game = match.game.split('/')[1]
  const players = (match.seats ?? []).map((seat) => seat.player || 'free seat').join(', ')
  return html('li', { data: { match: id } },
    html('a', { href: over ? `/replays/${id}` : `/matches/${id}`, text: match.title || `${game}, ${(match.seats ?? []).length} seats` }),
    html('span', { class: 'match-game', text: game }),
    html('span', { class: 'player', text: players }))
}

async function fill(section, address, nothing, page = '') {
  const join = address.endsWith('?') ? '' : '&'
  const { matches, next } = await getJson(page ? `${address}${join}page=${encodeURIComponent(page)}` : address)
  section.querySelector('.more')?.remove()
  const list = section.querySelector('ul')
  list.append(...matches.map(row))
  if (!list.children.length) list.append(html('li', { class: 'none', text: nothing }))
  if (next) section.append(html('button', { type: 'button', class: 'more quiet', text: 'More', onclick: () => fill(section, address, nothing, next) }))
}

export async function showMatches(root) {
  document.title = 'Landsraad: matches'
  const { games } = await getJson('/api/games')
  root.querySelector('[data-part="games"]').replaceChildren(...(games ?? []).map((game) => {
    const id = game.name.split('/')[1]
    return html('li', {}, html('a', { class: 'new-match', href: `/play/${id}`, text: `Play ${game.title}` }), ' ', html('a', { href: `/rules/${id}`, text: 'rules' }))
  }))
  const place = root.querySelector('[data-part="matches"]')
  await Promise.all(PARTS.map(async ([title, address, nothing]) => {
    const section = html('section', {}, html('h2', { text: title }), html('ul', { class: 'match-list' }))
    place.append(section)
    await fill(section, address, nothing)
  }))
}
