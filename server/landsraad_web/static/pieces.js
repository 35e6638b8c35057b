// Counters: each side has a shape and a letter besides its colour, each kind of thing a form of its own.

import { circle, path, polygon, regular, star, svg, text, widthOf } from './svg.js'

// Shape, letter, class of the counter, class of what is written on it. Other sides are octagons with their initial.
const LOOKS = {
  dune: {
    atreides: ['circle', 'A', 'f-atreides', 'on-dark'],
    bene_gesserit: ['diamond', 'B', 'f-bene_gesserit', 'on-dark'],
    emperor: ['octagon', 'E', 'f-emperor', 'on-dark'],
    fremen: ['hexagon', 'F', 'f-fremen', 'on-light'],
    guild: ['square', 'G', 'f-guild', 'on-light'],
    harkonnen: ['pentagon', 'H', 'f-harkonnen', 'on-dark'],
  },
  arrakis: {
    harkonnen: ['square', 'H', 'side-harkonnen', 'on-dark'],
    atreides: ['circle', 'A', 'side-atreides', 'on-dark'],
  },
}
const initial = (side) => String(side).charAt(0).toUpperCase()

export function lookOf(game, side) {
  const [shape, letter, cls, on] = LOOKS[game]?.[side] ?? ['octagon', initial(side), 'back', 'on-back']
  return { shape, letter, cls, on }
}

const SHAPES = { diamond: [4, 0, 1.15], square: [4, 1 / 8, 1.22], pentagon: [5, 0, 1.12], hexagon: [6, 0, 1.08], octagon: [8, 1 / 16, 1.05] }
const ROOM = { diamond: 0.8, pentagon: 0.92 }

function shaped(shape, at, radius, cls, more) {
  if (shape === 'circle') return circle(at, radius, cls, more)
  const [corners, turn, grown] = SHAPES[shape]
  return polygon(regular(at, radius * grown, corners, turn), cls, more)
}

// A short text in a counter, as large as it can be.
function label(at, words, radius, cls) {
  const size = Math.min(radius * 1.3, (1.75 * radius) / Math.max(1, widthOf(words, 1)))
  return text(at, words, size, `${cls} bold`)
}

function stars(at, radius, count) {
  const shown = Math.min(count, 3)
  const small = radius * 0.42
  return Array.from({ length: shown }, (_, i) =>
    polygon(star([at[0] + (i - (shown - 1) / 2) * small * 1.7, at[1] - radius * 0.98], small), 'ink halo'))
}

function disc(at, radius, { shape, cls, on }, words, count = 0) {
  const wide = shape === 'square' ? radius * 0.88 : radius
  return [shaped(shape, at, wide, cls), label(at, words, radius * (ROOM[shape] ?? 1), on), ...stars(at, radius, count)]
}

function teeth(at, radius, count) {
  const [outer, inner] = [regular(at, radius * 0.9, count), regular(at, radius * 0.42, count)]
  return outer.map((corner, n) => [corner, inner[n]])
}

const VEHICLES = {
  harvester([x, y], r) {
    const hull = [[x - r, y + r * 0.3], [x - r * 0.6, y - r * 0.5], [x + r * 0.6, y - r * 0.5], [x + r, y + r * 0.3]]
    return [polygon(hull, 'machine'), ...[-0.6, 0, 0.6].map((i) => circle([x + r * i, y + r * 0.5], r * 0.27, 'machine'))]
  },
  ornithopter([x, y], r) {
    const wings = [[-1, -0.7], [0, -0.1], [1, -0.7], [0.3, 0.1], [0.8, 0.8], [0, 0.35], [-0.8, 0.8], [-0.3, 0.1]]
    return [polygon(wings.map(([dx, dy]) => [x + r * dx, y + r * dy]), 'machine')]
  },
  carryall([x, y], r) {
    const wing = [[0, -0.8], [1, 0.4], [0.35, 0.3], [0, 0.75], [-0.35, 0.3], [-1, 0.4]]
    return [polygon(wing.map(([dx, dy]) => [x + r * dx, y + r * dy]), 'machine')]
  },
}

// One function for each form of a thing (contents.js): its nodes around a place.
const FORMS = {
  force: ({ look, number, elites, faint }, at, r) => {
    const nodes = disc(at, r, look, String(number), elites)
    if (faint) nodes[0].classList.add('coexisting')
    return nodes
  },
  legion: ({ look, number, leaders }, at, r) => {
    if (number) return disc(at, r, look, String(number), leaders)
    return [shaped(look.shape, at, r * 0.94, look.cls), polygon(star(at, r * 0.66), look.on), ...stars(at, r, leaders - 1)]
  },
  spice: ({ number }, at, r) => [polygon(regular(at, r * 1.12, 4), 'spice'), label(at, String(number), r * 0.78, 'on-spice')],
  worm: ({ wild }, at, r) => [circle(at, r, 'worm'), path(teeth(at, r, 9), 'worm-line'), ...(wild ? [label(at, 'W', r * 0.6, 'on-worm')] : [])],
  backs: ({ text: words, number }, at, r) => {
    const nodes = []
    for (let step = Math.min(number, 3) - 1; step > 0; step -= 1)
      nodes.push(shaped('octagon', [at[0] + step * r * 0.22, at[1] - step * r * 0.22], r * 0.9, 'back'))
    return [...nodes, shaped('octagon', at, r * 0.9, 'back'), label(at, words, r * 0.8, 'on-back')]
  },
  wormsign: (_, at, r) => [circle(at, r * 0.9, 'back dashed'), label(at, '~', r, 'on-back')],
  station: (_, at, r) => [polygon(regular(at, r, 3), 'back'), label([at[0], at[1] + r * 0.1], '?', r * 0.6, 'on-back')],
  settlement: ({ text: words }, [x, y], r) => {
    const house = [[x - r, y + r * 0.9], [x - r, y - r * 0.25], [x, y - r], [x + r, y - r * 0.25], [x + r, y + r * 0.9]]
    return [polygon(house, 'base-harkonnen'), label([x, y + r * 0.18], words, r * 0.86, 'in-harkonnen')]
  },
  sietch: ({ text: words }, [x, y], r) => {
    const cave = regular([x, y], r, 12, 1 / 24).map(([px, py]) => [px, Math.min(py, y + r * 0.75)])
    return [polygon(cave, 'base-atreides'), label([x, y], words, r * 0.86, 'in-atreides')]
  },
  vehicle: ({ kind, number }, at, r) => [
    ...(VEHICLES[kind] ?? (() => [shaped('octagon', at, r * 0.8, 'machine'), label(at, kind.charAt(0), r * 0.7, 'on-back')]))(at, r * 0.86),
    ...(number > 1 ? [label([at[0] + r * 0.8, at[1] + r * 0.7], String(number), r * 0.8, 'ink')] : []),
  ],
  atomics: (_, at, r) => [shaped('hexagon', at, r * 0.9, 'spice'), label(at, '☢', r, 'on-spice')],
  storm: (_, at, r) => {
    const [x, y] = at
    const [big, small] = [r * 0.62, r * 0.34]
    return [
      circle(at, r, 'eye'),
      svg('path', { d: `M${x - big} ${y}a${big} ${big} 0 0 1 ${2 * big} 0a${small} ${small} 0 0 1 ${-2 * small} 0`, class: 'eye-line' }),
    ]
  },
  side: ({ look }, at, r) => disc(at, r, look, look.letter),
  other: ({ text: words }, at, r) => [shaped('square', at, r * 0.8, 'back'), label(at, words, r * 0.8, 'on-back')],
}

// The nodes of a thing around a place.
export const draw = (thing, at, radius) => (FORMS[thing.form] ?? FORMS.other)(thing, at, radius)

// A counter as a picture of its own, for tables.
export function icon(thing, title = '') {
  return svg('svg', { viewBox: '-115 -115 230 230', class: 'icon', ...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': 'true' }) },
    ...draw(thing, [0, 0], 100))
}
