// The page of a match that is watched or played, and of a replay: loads what it needs and keeps it up to date.

import { attachStudy } from './advice.js'
import { getJson } from './fetch.js'
import { Catalog } from './names.js'
import { html } from './svg.js'
import { Stream } from './stream.js'
import { Table } from './table.js'

const STATES = { open: 'connected', lost: 'connection lost, trying again', hidden: 'asleep', closed: 'the match is over' }

// Fetch a match with its catalog.
async function load(id) {
  const found = await getJson(`/api/matches/${id}`)
  return { ...found, catalog: new Catalog(await getJson(found.catalog)) }
}

function title(root, match, catalog, words) {
  const name = match.title || catalog.title_
  document.title = `${name}: ${words}`
  root.querySelector('[data-part="title"]').textContent = name
}

// Watch a match, or play one of one's own seats.
export async function showMatch(root, id) {
  const query = new URLSearchParams(location.search)
  const { match, seats, catalog } = await load(id)
  if (match.state === 'MATCH_STATE_OVER' && !query.has('seat')) {
    await showReplay(root, id)
    return null
  }
  const wanted = query.get('seat')
  const seat = wanted === 'none' ? null : wanted !== null ? Number(wanted) : (seats[0] ?? null)
  title(root, match, catalog, seat === null ? 'watching' : 'playing')
  let table = null
  const state = root.querySelector('[data-part="connection"]')
  const waiting = []
  const flush = () => {
    const entries = waiting.splice(0)
    if (entries.length && table) table.push(entries, { quiet: entries.length > 40 })
  }
  const ready = (observation) => {
    if (table) table.begin(observation)
    else table = new Table(root, { catalog, match, seat, mode: 'live', observation })
    table.render()
    root.table = table
    root.dispatchEvent(new CustomEvent('table', { detail: { table, match, seat, seats }, bubbles: true }))
    requestAnimationFrame(() => setTimeout(() => table.named ??= (table.board.writeNames(), true)))
    history(root, table, id, seat)
  }
  const stream = new Stream(`/api/matches/${id}/events${seat === null ? '' : `?seat=${seat}`}`, (kind, data) => {
    if (kind === 'snapshot') ready(data)
    else if (kind === 'entry') {
      waiting.push(data)
      // One drawing for all entries of a frame; a hidden tab has no frames.
      if (waiting.length === 1) (document.hidden ? setTimeout : requestAnimationFrame)(flush)
    } else if (kind === 'match') {
      Object.assign(match, data)
      table?.setMatch(match)
    } else if (kind === 'presence') {
      const about = (match.seats ?? []).find((each, at) => (each.number ?? at) === (data.seat ?? 0))
      if (about) about.presence = data.presence
      table?.render()
    } else if (kind === 'closed' && data.reason === 'over') {
      state.after(html('p', {}, html('a', { id: 'to-replay', href: `/replays/${id}`, text: 'Replay' })))
    } else if (kind === 'state') {
      state.textContent = STATES[data] ?? ''
      state.dataset.state = data
    }
    root.dispatchEvent(new CustomEvent('stream', { detail: { kind, data, table, stream }, bubbles: true }))
  })
  root.stream = stream
  return { stream, table: () => table }
}

// Offer to look back before the snapshot: fetch the whole log on demand.
function history(root, table, id, seat) {
  if (table.timeline.first === 0) return
  const place = table.part('scrub')
  const button = html('button', {
    type: 'button', class: 'quiet', id: 'scrub-load', text: 'Look back to the beginning',
    onclick: async () => {
      button.disabled = true
      const log = await getJson(`/api/replays/${id}/log${seat === null ? '' : `?seat=${seat}`}`)
      const later = table.timeline.entries.slice(Math.max(0, log.entries.length - table.timeline.first))
      table.begin()
      table.push([...log.entries, ...later], { quiet: true })
    },
  })
  place.append(button)
}

// Replay a finished match from any seat's eyes.
export async function showReplay(root, id) {
  const query = new URLSearchParams(location.search)
  const seat = query.get('seat') === null ? null : Number(query.get('seat'))
  const wanted = Number(query.get('at') ?? 0)
  const [{ match, catalog }, log] = await Promise.all([
    load(id),
    getJson(`/api/replays/${id}/log${seat === null ? '' : `?seat=${seat}`}`),
  ])
  title(root, match, catalog, 'replay')
  const table = new Table(root, { catalog, match, seat, mode: 'replay', layout: log.layout })
  root.table = table
  for (const entry of log.entries) {
    // Enter all entries without drawing any; checkpoints arise on the way.
    table.timeline.push(entry)
  }
  fillLog(table)
  table.timeline.seek(wanted || table.timeline.first)
  table.render()
  requestAnimationFrame(() => setTimeout(() => table.board.writeNames()))
  // Browsers allow few changes of the address in a second.
  let waiting = null
  table.addEventListener('position', () => {
    waiting ??= setTimeout(() => {
      waiting = null
      const address = new URL(location.href)
      address.searchParams.delete('step')
      address.searchParams.set('at', table.timeline.number)
      window.history.replaceState(null, '', address)
    }, 150)
  })
  eyes(root, table, match, id, seat)
  attachStudy(table, id)
  root.dispatchEvent(new CustomEvent('table', { detail: { table, match, seat, seats: [] }, bubbles: true }))
  return { table: () => table }
}

// Write the sentences of all entries.
function fillLog(table) {
  const { timeline, teller, log } = table
  let phase = 0
  timeline.entries.forEach((entry, at) => {
    const number = timeline.first + at + 1
    if (timeline.phases[phase]?.number === number) {
      log.phase(number, timeline.phases[phase].name)
      phase += 1
    }
    const line = teller.tell(entry)
    if (line) log.add(number, line)
  })
}

// A choice of whose eyes to see the match with. Logs of seats have other numbers, but the same public steps.
function eyes(root, table, match, id, seat) {
  const place = root.querySelector('[data-part="eyes"]')
  const names = (match.seats ?? []).map((each, at) => `Seat ${at + 1}${each.player ? `, ${each.player}` : ''}`)
  const select = html('select', { id: 'eyes', 'aria-label': 'Seen by', onchange: () => go(select.value) },
    html('option', { value: '', text: 'Spectators' }), names.map((name, at) => html('option', { value: String(at), text: name })))
  select.value = seat === null ? '' : String(seat)
  place.replaceChildren(html('label', { for: 'eyes', text: 'Seen by ' }), select, ' ',
    html('a', { href: `/api/replays/${id}/certificate`, download: `${id}.json`, text: 'Certificate' }))
  place.hidden = false
  const step = new URLSearchParams(location.search).get('step')
  if (step !== null) table.goTo(table.timeline.atStep(Number(step)))
  function go(value) {
    const address = new URL(location.href)
    address.searchParams.delete('at')
    address.searchParams.set('step', table.timeline.stepsAt(table.timeline.number))
    if (value) address.searchParams.set('seat', value)
    else address.searchParams.delete('seat')
    location.assign(address)
  }
}
