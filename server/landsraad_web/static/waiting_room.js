// The waiting room of a match that has not begun: who is there, an invitation, and bots for free seats.

import { postJson } from './api.js'
import { signIn } from './session.js'
import { html } from './svg.js'

const KIND = { SEAT_FILL_HOUSE_BOT: 'a bot of the house', SEAT_FILL_INVITED: 'kept for an invited player' }

export function waitingRoom(root, match, seats) {
  const id = match.name.replace('matches/', '')
  let room = root.querySelector('.waiting-room')
  if (!room) {
    room = html('section', { class: 'panel waiting-room', 'aria-label': 'Before the match' })
    root.querySelector('.match-head').after(room)
  }
  if (seats) room.seats = seats
  const own = new Set(room.seats ?? [])
  const said = html('p', { role: 'status' })
  const run = (path, body) => async () => {
    try {
      await signIn()
      await postJson(`/api/matches/${id}/${path}`, body)
      location.reload()
    } catch (error) {
      said.textContent = error.message
    }
  }
  const row = (seat, at) => html('li', {}, `Seat ${at + 1}: ${seat.player || KIND[seat.fill] || 'free'}`,
    own.has(at) ? [' (you) ', html('button', { type: 'button', class: 'quiet', text: 'Leave', onclick: run('leave', { seat: at }) })] : null,
    !seat.player && seat.fill === 'SEAT_FILL_OPEN' ? [' ', html('button', { type: 'button', text: 'Sit here', onclick: run('join', { seat: at }) })] : null)
  room.replaceChildren(html('h2', { text: 'Waiting for players' }), html('ul', {}, match.seats.map(row)),
    html('p', {}, 'Invite others with this address: ', html('code', { class: 'invitation', text: `${location.origin}/#join=${id}` })),
    html('p', {}, html('button', { type: 'button', text: 'Begin now, with bots in free seats', onclick: run('start', {}) })), said)
}
