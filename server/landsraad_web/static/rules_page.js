// The rules of a game, in our words, by section.

import { getJson } from './fetch.js'
import { Catalog } from './names.js'
import { html } from './svg.js'

export async function showRules(root, game) {
  const catalog = new Catalog(await getJson(`/api/catalog/${encodeURIComponent(game)}`))
  document.title = `Rules of ${catalog.title_}`
  root.querySelector('h1').textContent = document.title
  const sections = new Map()
  for (const rule of catalog.message.rules ?? []) {
    const heading = [rule.section, rule.heading].filter(Boolean).join(' · ')
    sections.set(heading, [...(sections.get(heading) ?? []), rule])
  }
  const list = root.querySelector('[data-part="rules"]')
  for (const [heading, rules] of sections)
    list.append(html('section', {}, html('h2', { text: heading }), html('dl', {}, rules.flatMap((rule) => [
      html('dt', { id: rule.id, text: rule.id }),
      html('dd', { text: [rule.text, rule.reason && `Why: ${rule.reason}`, rule.editions?.length && `(${rule.editions.join(', ')})`].filter(Boolean).join(' ') }),
    ]))))
  const search = root.querySelector('input')
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase()
    for (const section of list.children) {
      let any = false
      for (const id of section.querySelectorAll('dt')) {
        const held = !wanted || `${id.textContent} ${id.nextElementSibling.textContent}`.toLowerCase().includes(wanted)
        id.hidden = id.nextElementSibling.hidden = !held
        any ||= held
      }
      section.hidden = !any
    }
  })
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}
