// An act that is being composed: the choices so far, what can follow, and the way back.
//
// Only values with which the act can be completed are ever offered. A value that is the only one is taken by itself.

import { acts, nextValues } from './grammar.js'

export class Draft {
  constructor(options) {
    this.options = options
    this.reset()
  }

  reset() {
    this.act = null
    this.chosen = {}
    this.partial = []
    this.field = undefined
    //: what a person has decided, so that it can be taken back: the states before
    this.past = []
    const names = this.kinds
    if (names.length === 1) this.act = names[0]
    this.#settle()
  }

  // The types of act that the question offers, each once.
  get kinds() {
    return [...new Set(this.options.choices.map((choice) => choice.act))]
  }

  // All acts of a type, if there are at most so many.
  few(name, most) {
    const found = []
    for (const [act, fields] of acts({ choices: this.options.choices.filter((choice) => choice.act === name) }, most + 1)) {
      found.push([act, fields])
      if (found.length > most) return null
    }
    return found
  }

  get choice() {
    return this.options.choices.find((choice) => choice.act === this.act)
  }

  // The choices that agree with what was chosen so far; their rules say why something is out.
  get rules() {
    return [...new Set(this.options.choices.filter((choice) => choice.act === this.act).map((choice) => choice.rule).filter(Boolean))]
  }

  get complete() {
    return this.act !== null && this.step === null
  }

  begin(name) {
    this.#remember()
    this.act = name
    this.#settle()
  }

  // Take a whole act.
  take(name, fields) {
    this.#remember()
    this.act = name
    this.chosen = { ...fields }
    this.step = null
  }

  // Choose a value, or the next element of a field that is composed.
  pick(value) {
    this.#remember()
    this.#add(value)
    this.#settle()
  }

  // Several elements at once, as one decision.
  pickAll(values) {
    this.#remember()
    for (const value of values) {
      this.#add(value)
      this.step = nextValues(this.options, this.act, this.chosen, this.partial)
    }
    this.#settle()
  }

  // End a field that is composed element by element.
  finish() {
    this.#remember()
    this.#end()
    this.#settle()
  }

  get canGoBack() {
    return this.past.length > 0
  }

  back() {
    const before = this.past.pop()
    if (before) Object.assign(this, before)
  }

  #remember() {
    this.past.push({ act: this.act, chosen: { ...this.chosen }, partial: [...this.partial], step: this.step })
  }

  #add(value) {
    if (this.step.compound) this.partial = [...this.partial, value]
    else this.chosen = { ...this.chosen, [this.step.field]: value }
  }

  #end() {
    const { field, domain } = this.step
    const sorted = domain.constructor.name === 'Subset'
    const value = sorted ? [...this.partial].sort((a, b) => (a === b ? 0 : typeof a === 'number' ? a - b : a < b ? -1 : 1)) : this.partial
    this.chosen = { ...this.chosen, [field]: value }
    this.partial = []
  }

  // Take what leaves no choice.
  #settle() {
    if (this.act === null) {
      this.step = undefined
      return
    }
    for (;;) {
      this.step = nextValues(this.options, this.act, this.chosen, this.partial)
      if (this.step === null) return
      const { values, finished } = this.step
      if (values.length === 1 && !finished) this.#add(values[0])
      else if (!values.length && finished) this.#end()
      else return
    }
  }
}
