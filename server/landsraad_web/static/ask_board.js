// Choices on the board: areas that can be chosen light up, all others say by which rule they are out.

const ROUTE = 'route'

export class BoardChoice {
  constructor(board, pick, say) {
    this.board = board
    this.pick = pick
    this.say = say
    this.values = new Map()
    this.why = ''
    this.active = false
    board.node.addEventListener('choose', ({ detail }) => this.#choose(detail.area))
  }

  clear() {
    if (!this.active) return
    this.active = false
    this.values = new Map()
    this.board.offer(null)
    this.board.mark([], ROUTE)
  }

  // Offer what can follow in a draft; null for nothing.
  offer(draft, catalog, rule) {
    const values = new Map()
    for (const value of draft?.step?.values ?? [])
      for (const area of areasOf(value, catalog)) if (!values.has(area)) values.set(area, value)
    if (!values.size) {
      this.clear()
      return
    }
    this.active = true
    this.values = values
    const { step } = draft
    const walk = step.compound ? step.partial.filter((each) => typeof each === 'string') : []
    this.why = step.domain.rule || draft.rules[0] || rule
    const words = step.domain.start === undefined ? 'Can be chosen' : 'The way can lead here'
    this.board.offer([...values.keys()].map((area) => [area, words]),
      [...catalog.areas].filter((area) => !values.has(area)).map((area) => [area, this.why]))
    this.board.mark(walk.flatMap((place) => areasOf(place, catalog)), ROUTE)
    if (walk.length > 1) this.board.showMoves(walk.slice(1).map((place, at) => [areasOf(walk[at], catalog)[0], areasOf(place, catalog)[0]]))
  }

  #choose(area) {
    if (!this.active) return
    if (this.values.has(area)) this.pick(this.values.get(area))
    else this.say(`${this.board.catalog.title(area)} is out by ${this.why}.`)
  }
}

// The areas that a value stands for: itself, all sectors of a territory, or the place that a piece is in.
function areasOf(value, catalog) {
  if (typeof value !== 'string') return []
  if (catalog.areas.has(value)) return [value]
  const sectors = [...catalog.areas].filter((area) => area.split(':')[0] === value)
  if (sectors.length) return sectors
  const end = value.split('/').at(-1)
  return catalog.areas.has(end) ? [end] : []
}
