// Requests of the page: JSON both ways, typed errors, and inputs that count once however often they are sent.

import { Failed } from './fetch.js'

const FIRST_WAIT_MS = 300
const LAST_WAIT_MS = 4_000
const MOST_MS = 60_000

// Post JSON.
export async function postJson(address, body = {}) {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'landsraad-page': '1', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const told = await answer.json().catch(() => null)
  if (!answer.ok) throw new Failed(answer.status, told?.error)
  return told
}

const passes = (error) => !(error instanceof Failed) || error.status === 503 || error.status === 429 || error.status === 502

// Post something that can be sent again as it is, until it is answered. `waiting` is told when it takes longer.
export async function postUntilAnswered(address, body, waiting = () => {}) {
  const began = Date.now()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LAST_WAIT_MS)) {
    try {
      return await postJson(address, body)
    } catch (error) {
      if (!passes(error) || Date.now() - began > MOST_MS) throw error
      waiting(error)
      await new Promise((resolve) => setTimeout(resolve, (error.error?.retryAfter ?? 0) * 1000 || wait))
    }
  }
}

// A name for a request, so that a second attempt makes no second match.
export const requestId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, '0')).join('')
