// The legend: every form of counter and ground with its meaning.

import { icon, lookOf } from './pieces.js'
import { html, svg } from './svg.js'

const DUNE = (catalog) => [
  ...['atreides', 'bene_gesserit', 'emperor', 'fremen', 'guild', 'harkonnen'].map((side) => [{ form: 'side', look: lookOf('dune', side) }, catalog.title(side)]),
  [{ form: 'force', look: lookOf('dune', 'atreides'), number: 7, elites: 2 }, 'tokens, with two elites'],
  [{ form: 'force', look: lookOf('dune', 'bene_gesserit'), number: 1, faint: true }, 'coexisting'],
  [{ form: 'spice', number: 6 }, 'spice'], [{ form: 'worm' }, 'worm'], [{ form: 'storm' }, 'storm'],
]
const ARRAKIS = () => [
  [{ form: 'legion', look: lookOf('arrakis', 'harkonnen'), number: 4, leaders: 1 }, 'Harkonnen legion, with a leader'],
  [{ form: 'legion', look: lookOf('arrakis', 'atreides'), number: 4, leaders: 0 }, 'Atreides legion'],
  [{ form: 'legion', look: lookOf('arrakis', 'atreides'), number: 0, leaders: 1 }, 'leader without units'],
  [{ form: 'backs', text: '?', number: 1 }, 'face-down token'], [{ form: 'settlement', text: '2' }, 'settlement and rank'],
  [{ form: 'sietch', text: '?' }, 'Sietch'], [{ form: 'worm' }, 'sandworm'], [{ form: 'wormsign' }, 'wormsign'],
  [{ form: 'station' }, 'testing station'], [{ form: 'vehicle', kind: 'harvester', number: 1 }, 'harvester'],
  [{ form: 'vehicle', kind: 'ornithopter', number: 1 }, 'ornithopter'], [{ form: 'vehicle', kind: 'carryall', number: 1 }, 'carryall'],
  [{ form: 'atomics' }, 'Family Atomics'],
]
const GROUNDS = {
  dune: [['sand', 'sand'], ['rock', 'rock'], ['stronghold', 'stronghold'], ['sink', 'Polar Sink']],
  arrakis: [['deep', 'deep desert'], ['sand', 'desert'], ['erg', 'minor erg'], ['plateau', 'plateau'], ['rock', 'mountain']],
}

export function legend(catalog) {
  const counters = { dune: DUNE, arrakis: ARRAKIS }[catalog.game]?.(catalog) ?? []
  const grounds = (GROUNDS[catalog.game] ?? []).map(([ground, words]) => [
    svg('svg', { viewBox: '0 0 900 600', class: 'icon', 'aria-hidden': 'true' }, svg('rect', { width: 900, height: 600, class: `area ${ground}` })), words])
  return [...counters.map(([thing, words]) => [icon(thing), words]), ...grounds].map(([picture, words]) => html('li', {}, picture, words))
}
