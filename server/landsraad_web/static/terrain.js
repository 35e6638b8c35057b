// What is printed on a board: grounds, borders, names of groups of areas. Each game says it from its components.

const DUNE_GROUND = { sand: 'sand', rock: 'rock', stronghold: 'stronghold', polar_sink: 'sink' }
const ARRAKIS_GROUND = { deep_desert: 'deep', desert: 'sand', minor_erg: 'erg', plateau: 'plateau', mountain: 'rock' }

const territoryOf = (cell) => cell.split(':')[0]

const dune = (catalog, geometry) => {
  const ground = (cell) => catalog.facts('territory', territoryOf(cell)).get('terrain')
  const strong = (cell) => ground(cell) === 'stronghold'
  const groups = new Map()
  for (const cell of geometry.areas.keys()) {
    const name = catalog.title(territoryOf(cell))
    groups.set(name, [...(groups.get(name) ?? []), cell])
  }
  return {
    ground: (cell) => DUNE_GROUND[ground(cell)] ?? 'sand',
    // The class of a border and its width; the rim is a border with "".
    border(a, b) {
      if (!b || strong(a) || strong(b)) return ['edge', 24]
      return territoryOf(a) === territoryOf(b) ? null : ['edge', 13]
    },
    about(cell) {
      const sector = cell.split(':')[1]
      return [sector && `sector ${sector}`, ground(cell)?.replaceAll('_', ' ')].filter(Boolean)
    },
    names: [...groups],
    loose: strong,
    size: 122,
    lineClass: () => 'sector dashed',
  }
}

const arrakis = (catalog, geometry) => {
  const sectors = (area) => catalog.facts('area', area).get('sectors') ?? []
  return {
    ground: (area) => ARRAKIS_GROUND[catalog.facts('area', area).get('terrain')] ?? 'sand',
    border(a, b) {
      if (!b) return ['edge', 26]
      return sectors(a).some((sector) => sectors(b).includes(sector)) ? ['fine', 9] : ['sector', 26]
    },
    about: (area) => [
      catalog.facts('area', area).get('terrain')?.replaceAll('_', ' '),
      sectors(area).map((sector) => catalog.title(sector)).join(', '),
    ].filter(Boolean),
    names: [...geometry.areas.keys()].map((area) => [catalog.title(area), [area]]),
    loose: (area) => Boolean(catalog.facts('area', area).get('sietch') || catalog.facts('area', area).get('settlement_rank')),
    size: 116,
    lineClass: () => 'wall',
  }
}

const anyGame = (catalog, geometry) => ({
  ground: () => 'sand',
  border: (_, b) => (b ? ['fine', 9] : ['edge', 26]),
  about: () => [],
  names: [...geometry.areas.keys()].map((area) => [catalog.title(area), [area]]),
  loose: () => false,
  size: 100,
  lineClass: () => 'sector',
})

export const printedOn = (catalog, geometry) => ({ dune, arrakis }[catalog.game] ?? anyGame)(catalog, geometry)
