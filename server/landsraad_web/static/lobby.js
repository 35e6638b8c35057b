// The lobby: a match against the house at once, new matches with all their options, matches to join, watch and replay.

import { postJson, requestId } from './api.js'
import { getJson } from './fetch.js'
import { newMatchForm, usualSeats } from './lobby_form.js'
import { accountPanel, session, signIn, takeUpDevice } from './session.js'
import { html } from './svg.js'

const EVERY_MS = 5_000
const STATE = { MATCH_STATE_OPEN: 'open', MATCH_STATE_LIVE: 'live', MATCH_STATE_OVER: 'over' }
const PRESENCE = { PRESENCE_HERE: '', PRESENCE_AWAY: ' (away)', PRESENCE_RESIGNED: ' (resigned)' }
const idOf = (match) => match.name.replace(/^(matches|replays)\//, '')

export async function showLobby(root, game) {
  document.title = 'Landsraad: matches'
  const said = html('p', { class: 'lobby-said', role: 'alert' })
  const say = (words) => { said.textContent = words }
  const account = html('section', { class: 'panel', 'aria-label': 'You' })
  const lists = html('div', { class: 'lobby-lists' })
  const start = html('section', { class: 'panel', 'aria-labelledby': 'start-title' })
  root.replaceChildren(html('h1', { text: 'Matches' }), said, start, account, lists)
  await takeUpDevice().catch((error) => say(error.message))
  await joinByInvitation(say)
  const { games } = await getJson('/api/games')
  const known = games.filter((each) => /\/(dune|arrakis)$/.test(each.name) || games.length < 3)
  const titles = new Map(games.map((each) => [each.name, each.title]))
  start.append(html('h2', { id: 'start-title', text: 'Play' }), quickStart(known, say), newMatchForm(known, game, (terms) => create(terms, say)))
  await accountPanel(account, say)
  document.addEventListener('session', () => accountPanel(account, say))
  const refresh = () => fillLists(lists, titles, say).catch((error) => say(error.message))
  await refresh()
  setInterval(() => document.hidden || refresh(), EVERY_MS)
}

// One click to a match against bots of the house.
function quickStart(games, say) {
  return html('p', { class: 'row' }, games.map((game) => {
    const bots = usualSeats(game) - 1
    const terms = { game: game.name.replace('games/', ''), seats: [{ fill: 'open' }, ...Array(bots).fill({ fill: 'house' })], join: 0 }
    return html('button', { type: 'button', class: 'quick', data: { quick: terms.game }, text: `${game.title}: play against bots`, onclick: () => create(terms, say) })
  }))
}

async function create(terms, say) {
  try {
    await signIn()
    const made = await postJson('/api/matches', { ...terms, requestId: requestId() })
    location.assign(`/matches/${idOf(made.match)}`)
  } catch (error) {
    const fields = Object.entries(error.error?.fields ?? {}).map(([name, words]) => `${name}: ${words}`)
    say([error.message, ...fields].join('; '))
  }
}

// An invitation stands in the fragment of the address, which browsers send to nobody.
async function joinByInvitation(say) {
  const invited = new URLSearchParams(location.hash.slice(1)).get('join')
  if (!invited) return
  history.replaceState(null, '', location.pathname)
  await join(invited, say)
}

async function join(id, say) {
  try {
    await signIn()
    await postJson(`/api/matches/${id}/join`, { requestId: requestId() })
    location.assign(`/matches/${id}`)
  } catch (error) {
    say(error.message)
  }
}

async function fillLists(node, titles, say) {
  const me = await session()
  const [mine, open, live, over] = await Promise.all([
    me.signedIn ? getJson('/api/matches?mine=1') : { matches: [] },
    getJson('/api/matches?state=open'), getJson('/api/matches?state=live'), getJson('/api/replays'),
  ])
  const ended = new Map([...(await getJson('/api/matches?state=over')).matches, ...over.matches].map((match) => [idOf(match), match]))
  const sections = [
    ['Your matches', mine.matches.filter((match) => match.state !== 'MATCH_STATE_OVER'), 'You play in none.'],
    ['Open to join', open.matches, 'None waits for players.'],
    ['Live', live.matches, 'None is played at the moment.'],
    ['Finished', [...ended.values()].slice(0, 30), 'None has ended yet.'],
  ]
  const focused = document.activeElement?.dataset?.row
  node.replaceChildren(...sections.map(([title, matches, none]) => html('section', { class: 'panel', 'aria-label': title },
    html('h2', { text: title }),
    matches.length ? html('ul', { class: 'match-list' }, matches.map((match) => row(match, titles, say, title))) : html('p', { class: 'none', text: none }))))
  if (focused) node.querySelector(`[data-row="${CSS.escape(focused)}"]`)?.focus()
}

function row(match, titles, say, section) {
  const id = idOf(match)
  const players = (match.seats ?? []).map((seat) => (seat.player ? `${seat.player}${PRESENCE[seat.presence] ?? ''}` : 'free')).join(', ')
  const state = STATE[match.state] ?? 'over'
  const clock = match.clock ? `, ${Math.round((match.clock.decisionMs ?? 0) / 1000)} s a decision, bank ${Math.round((match.clock.bankMs ?? 0) / 60000)} min` : ''
  const words = `${match.title || titles.get(match.game) || match.game} — ${players}${clock}`
  const link = (text, href) => html('a', { class: 'button', href, text, data: { row: `${section} ${text} ${id}` } })
  const acts = {
    'Your matches': () => link(state === 'live' ? 'Play' : 'Go there', `/matches/${id}`),
    'Open to join': () => html('button', { type: 'button', text: 'Join', onclick: () => join(id, say), data: { row: `join ${id}` } }),
    Live: () => link('Watch', `/matches/${id}?seat=none`),
    Finished: () => link('Replay', `/replays/${id}`),
  }
  return html('li', {}, html('span', { class: 'match-words', text: words }), ' ', acts[section]())
}
