// The fold of an information log: what its seat knows, entry by entry. landsraad/v1/log.proto states it.
//
// Contents are never changed in place, so that a saved position shares them with the present one.

import { UNKNOWN, byCodePoint, decode, encode } from './values.js'

// Verbs that touch pieces, with the argument that an aside hides from other seats.
const HIDDEN_IN_ASIDE = { move: 'face', gather: 'faces', place: '', shuffle: '', look: 'shown', reveal: '' }
const OPEN = 'SIGHT_OPEN'

// The places of a match by their keys.
export class Layout {
  constructor(message) {
    this.zones = message.zones ?? []
    this.places = new Map()
    for (const zone of this.zones)
      for (const { key, owners = [] } of zone.places ?? []) this.places.set(key, { zone, owners })
  }

  zone(key) {
    return this.places.get(key)?.zone
  }

  content(key) {
    return this.places.get(key)?.zone.content ?? 'CONTENT_MARK'
  }

  owners(key) {
    return this.places.get(key)?.owners ?? []
  }
}

const isEmpty = (content, value) => {
  if (content === 'CONTENT_MARK') return value === null
  if (content === 'CONTENT_STACK') return !value.some(Boolean)
  return Array.isArray(value) ? value.length === 0 : !value
}

const changedCounts = (have, counts, sign) => counts.map((count, at) => (have?.[at] ?? 0) + sign * count)

export class Fold {
  // `seat` is null for spectators. Without `shown` the fold knows one view only: that of `shown` itself.
  constructor(layout, seat = null, { common = true } = {}) {
    this.layout = layout
    this.seat = seat
    this.mine = new Set([`#${seat}`])
    this.places = new Map()
    this.shown = new Map()
    this.step = null
    this.question = null
    // Number of the last entry, and of the one that told the step.
    this.number = 0
    this.during = 0
    // Keys that entries have written since somebody last took them.
    this.changed = new Set()
    this.common = common ? new Fold(layout, null, { common: false }) : null
  }

  static from(layout, seat, observation) {
    const fold = new Fold(layout, seat)
    fold.resume(observation)
    return fold
  }

  // Take the knowledge from an observation, in place of all entries before.
  resume(observation) {
    for (const key of this.places.keys()) this.changed.add(key)
    this.places = new Map((observation.places ?? []).map((row) => [row.key, decode(row.value)]))
    this.shown = new Map((observation.shown ?? []).map((row) => [row.key, decode(row.value)]))
    for (const key of this.places.keys()) this.changed.add(key)
    const side = this.places.get(`side/${this.seat}`)
    if (side) this.mine.add(side)
    this.step = observation.step ?? null
    this.question = observation.question ?? null
    this.number = Number(observation.number ?? 0)
    this.during = Number(observation.during ?? 0)
    this.common = new Fold(this.layout, null, { common: false })
    for (const [place, value] of this.places) {
      const zone = this.layout.zone(place)
      if (zone?.content === 'CONTENT_PILE' || zone?.content === 'CONTENT_HAND')
        this.common.places.set(
          place,
          zone.sight === OPEN ? value : (this.shown.get(place) ?? value.map(() => UNKNOWN)),
        )
    }
  }

  // A position to return to. Contents are shared, so it costs two maps.
  save() {
    const { number, during, step, question } = this
    return {
      number, during, step, question,
      mine: new Set(this.mine),
      places: new Map(this.places),
      shown: new Map(this.shown),
      common: new Map(this.common.places),
    }
  }

  restore(saved) {
    for (const [key, value] of this.places) if (saved.places.get(key) !== value) this.changed.add(key)
    for (const key of saved.places.keys()) if (!this.places.has(key)) this.changed.add(key)
    Object.assign(this, {
      number: saved.number, during: saved.during, step: saved.step, question: saved.question,
      mine: new Set(saved.mine),
      places: new Map(saved.places),
      shown: new Map(saved.shown),
    })
    this.common.places = new Map(saved.common)
    return this
  }

  add(entry) {
    this.number += 1
    const event = entry.event ?? entry.aside
    if (event) this.#happen(event, Boolean(entry.aside))
    else if (entry.step) {
      this.step = entry.step
      this.during = this.number
    } else if (entry.question) this.question = entry.question
    else if (entry.answer || entry.withdrawn) this.question = null
  }

  #happen(event, aside) {
    for (const verb in event) {
      if (verb === 'rule') continue
      const body = event[verb]
      VERBS[verb]?.(this, body)
      if (this.common && verb in HIDDEN_IN_ASIDE) this.#tellAll(verb, body, aside ? HIDDEN_IN_ASIDE[verb] : '')
    }
  }

  #tellAll(verb, body, hide) {
    const public_ = hide ? { ...body, [hide]: undefined } : body
    VERBS[verb](this.common, public_)
    for (const place of [body.key, body.source, body.target]) {
      if (place === undefined) continue
      const known = this.common.pieces(place)
      if (this.layout.zone(place)?.sight !== OPEN && known.some((piece) => piece !== UNKNOWN))
        this.shown.set(place, known)
      else this.shown.delete(place)
    }
  }

  pieces(key) {
    return this.places.get(key) ?? []
  }

  store(key, value) {
    if (isEmpty(this.layout.content(key), value)) this.places.delete(key)
    else this.places.set(key, value)
    this.changed.add(key)
  }

  // Store pieces, those of a hand in their canonical order.
  keep(key, pieces) {
    if (this.layout.content(key) === 'CONTENT_HAND') {
      const known = pieces.filter((piece) => piece !== UNKNOWN).sort(byCodePoint)
      pieces = [...known, ...Array(pieces.length - known.length).fill(UNKNOWN)]
    }
    this.store(key, pieces)
  }

  // The knowledge in the form of an Observation.
  observation() {
    const rows = (places) =>
      [...places.keys()].sort(byCodePoint).map((key) => ({ key, value: encode(places.get(key)) }))
    return { places: rows(this.places), shown: rows(this.shown), step: this.step, question: this.question }
  }
}

// One function for each verb that changes a place.
const VERBS = {
  set(fold, it) {
    const value = decode(it.value)
    fold.store(it.key, value)
    if (it.key === `side/${fold.seat}`) fold.mine = new Set([`#${fold.seat}`, value])
  },
  open(fold, it) {
    fold.store(it.key, null)
  },
  transfer(fold, it) {
    for (const [place, change] of [[it.source, -it.amount], [it.target, it.amount]]) {
      const hidden = fold.layout.zone(place)?.sight === 'SIGHT_SCREEN'
      if (!hidden || fold.layout.owners(place).some((owner) => fold.mine.has(owner)))
        fold.store(place, (fold.places.get(place) ?? 0) + change)
    }
  },
  shift(fold, it) {
    fold.store(it.source, changedCounts(fold.places.get(it.source), it.counts, -1))
    fold.store(it.target, changedCounts(fold.places.get(it.target), it.counts, 1))
  },
  exchange(fold, it) {
    fold.store(it.key, it.counts)
  },
  move(fold, it) {
    let left = [...fold.pieces(it.source)]
    if (it.slot !== undefined) left.splice(it.slot, 1)
    else if (it.face === undefined) left = Array(Math.max(0, left.length - 1)).fill(UNKNOWN)
    else left.splice(left.indexOf(left.includes(it.face) ? it.face : UNKNOWN), 1)
    fold.keep(it.source, left)
    const there = [...fold.pieces(it.target)]
    there.splice(it.to ?? there.length, 0, it.face ?? UNKNOWN)
    fold.keep(it.target, there)
  },
  place(fold, it) {
    if (fold.layout.content(it.key) === 'CONTENT_STACK') fold.store(it.key, it.counts ?? [])
    else fold.keep(it.key, it.faces ?? [])
  },
  gather(fold, it) {
    let moved = fold.pieces(it.source)
    if (it.faces) moved = it.faces.items ?? []
    else if (fold.layout.content(it.source) === 'CONTENT_HAND') moved = moved.map(() => UNKNOWN)
    fold.keep(it.target, [...fold.pieces(it.target), ...moved])
    fold.store(it.source, [])
  },
  shuffle(fold, it) {
    fold.store(it.key, fold.pieces(it.key).map(() => UNKNOWN))
  },
  look(fold, it) {
    if (!it.shown) return
    let faces = it.shown.items ?? []
    if (it.index !== undefined) {
      const pieces = [...fold.pieces(it.key)]
      pieces[it.index] = faces[0]
      faces = pieces
    }
    fold.keep(it.key, faces)
  },
  reveal(fold, it) {
    const pieces = [...fold.pieces(it.key)]
    if (it.index !== undefined) pieces[it.index] = it.face
    else if (!pieces.includes(it.face)) pieces[pieces.indexOf(UNKNOWN)] = it.face
    fold.keep(it.key, pieces)
  },
}
