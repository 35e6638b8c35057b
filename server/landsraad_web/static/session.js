// Who plays: the session of this browser, with a name, on this device or another one.

import { postJson } from './api.js'
import { getJson } from './fetch.js'
import { html } from './svg.js'

let known = null

export const session = async () => (known ??= await getJson('/api/session'))

// Begin a session if there is none: as a guest where there are guests, else after asking for a token.
export async function signIn(more = {}) {
  const now = await session()
  if (now.signedIn && !more.token && !more.code && more.name === undefined) return now
  known = await postJson('/api/session', more)
  document.dispatchEvent(new CustomEvent('session', { detail: known }))
  return known
}

export async function signOut() {
  known = await postJson('/api/session/end')
  document.dispatchEvent(new CustomEvent('session', { detail: known }))
}

// Take up an account from another device, if the fragment of the address has a code. Fragments are sent to nobody.
export async function takeUpDevice() {
  const code = new URLSearchParams(location.hash.slice(1)).get('device')
  if (!code) return null
  history.replaceState(null, '', location.pathname + location.search)
  return signIn({ code })
}

// The part of the page about the player: name, token, other devices.
export async function accountPanel(node, say) {
  const me = await session()
  const name = html('input', { id: 'player-name', maxlength: 40, autocomplete: 'nickname', value: me.name ?? '' })
  const keep = () => signIn({ name: name.value }).catch((error) => say(error.message))
  const parts = []
  if (me.signedIn || me.guests) {
    name.addEventListener('change', keep)
    parts.push(html('p', {}, html('label', { for: 'player-name', text: 'Your name ' }), name))
  }
  if (me.signedIn) {
    const link = html('p', { hidden: true })
    parts.push(html('p', { class: 'row' },
      html('button', {
        type: 'button', text: 'Go on at another device', onclick: async () => {
          const { code, seconds } = await postJson('/api/session/link')
          link.hidden = false
          link.replaceChildren(`Open this within ${Math.round(seconds / 60)} minutes there, once: `,
            html('code', { text: `${location.origin}/#device=${code}` }))
        },
      }),
      html('button', { type: 'button', class: 'quiet', text: 'Sign out', onclick: () => signOut().then(() => location.reload()) })), link)
    if (me.guest) parts.push(html('p', { class: 'none', text: 'You are a guest: if you sign out, nobody can play your seats any more.' }))
  }
  if (!me.signedIn && !me.guests) {
    const token = html('input', { id: 'token', type: 'password', autocomplete: 'off', maxlength: 512 })
    parts.push(html('form', {
      onsubmit: (event) => {
        event.preventDefault()
        signIn({ token: token.value }).then(() => location.reload(), (error) => say(error.message))
      },
    }, html('label', { for: 'token', text: 'Token of your account ' }), token, html('button', { type: 'submit', text: 'Sign in' })))
  }
  node.replaceChildren(...parts)
}
