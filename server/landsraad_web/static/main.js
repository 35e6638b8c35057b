// The entry of the page: shows what its address names.

import { html } from './svg.js'

const main = document.getElementById('main')
const PAGES = [
  [/^\/matches\/([^/]+)$/, 'match', async (root, id) => {
    const [playing, page] = await Promise.all([import('./playing.js'), import('./match_page.js')])
    playing.attachPlay(root, id)
    return page.showMatch(root, id)
  }],
  [/^\/replays\/([^/]+)$/, 'match', async (root, id) => (await import('./match_page.js')).showReplay(root, id)],
  [/^\/rules\/([^/]+)$/, 'rules', async (root, id) => (await import('./rules_page.js')).showRules(root, id)],
  [/^\/play\/([^/]+)$/, 'lobby', async (root, id) => (await import('./lobby.js')).showLobby(root, id)],
  [/^\/$/, 'lobby', async (root) => (await import('./lobby.js')).showLobby(root, '')],
]

async function show() {
  const [page, found] = PAGES.map((each) => [each, each[0].exec(location.pathname)]).find(([, match]) => match) ?? []
  if (!page) {
    fail(new Error('There is no such page.'))
    return
  }
  const [, name, run] = page
  document.body.dataset.page = name
  const template = document.getElementById(`page-${name}`)
  main.replaceChildren(template.content.cloneNode(true))
  const root = main.firstElementChild
  try {
    await run(root, found[1] && decodeURIComponent(found[1]))
    main.dataset.ready = 'yes'
  } catch (error) {
    fail(error)
  }
}

function fail(error) {
  document.title = 'Landsraad'
  main.replaceChildren(html('section', { class: 'failure', role: 'alert' },
    html('h1', { text: 'This does not work' }),
    html('p', { text: error.message }),
    html('p', {}, html('a', { href: '/', text: 'All matches' }))))
  main.dataset.ready = 'failed'
  console.error(error)
}

function theme() {
  const button = document.getElementById('theme')
  const known = () => document.documentElement.dataset.theme
    ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  let kept = null
  try {
    kept = localStorage.getItem('landsraad.theme')
  } catch {
    // storage is off: the system's theme
  }
  if (kept) document.documentElement.dataset.theme = kept
  const write = () => { button.textContent = known() === 'dark' ? 'Light' : 'Dark' }
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = known() === 'dark' ? 'light' : 'dark'
    try {
      localStorage.setItem('landsraad.theme', document.documentElement.dataset.theme)
    } catch {
      // it lasts until the page is left
    }
    write()
  })
  write()
}

theme()
show()
