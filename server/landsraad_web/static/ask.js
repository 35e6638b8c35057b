// The composer of acts: what a seat is asked, what it can answer, and by which rule everything else is out.
//
// It works with the mouse on board and buttons, and by the keyboard alone: every choice is a button in the document.

import { cardText } from './cards.js'
import { AskWords } from './ask_words.js'
import { Draft } from './ask_draft.js'
import { BoardChoice } from './ask_board.js'
import { stepper } from './ask_stepper.js'
import { html } from './svg.js'
import { keyOf } from './values.js'

// Acts of one type that are listed as they are, and acts in all.
const FEW = 12
const PASSING = ['Pass', 'Done']

export class Composer {
  // `submit` is called with the name and the fields of an act, and returns a promise of a refusal, or of nothing.
  constructor(node, catalog, { board, submit, speech }) {
    this.node = node
    this.catalog = catalog
    this.words = new AskWords(catalog)
    this.submit = submit
    this.speech = speech
    this.draft = null
    this.choices = board && new BoardChoice(board, (value) => this.#pick(value), (words) => this.#say(words))
  }

  // Offer a question. `about` has the rule, and words for what is reacted to.
  ask(options, about) {
    this.about = about
    this.draft = new Draft(options)
    this.message = ''
    this.sending = false
    this.#draw()
  }

  clear() {
    this.draft = null
    this.sending = false
    this.choices?.clear()
    this.node.replaceChildren()
  }

  // The act by which a seat passes, if the question has one.
  passing() {
    const name = PASSING.find((each) => this.draft?.kinds.includes(each))
    const all = name && this.draft.few(name, 1)
    return all?.length === 1 ? all[0] : null
  }

  // Answer with a whole act without another word; for keys.
  async answer([name, fields]) {
    if (!this.draft || this.sending) return
    this.draft.take(name, fields)
    await this.#send()
  }

  // --- drawing

  #draw({ focus = true } = {}) {
    const { draft } = this
    const hadFocus = this.node.contains(document.activeElement)
    this.node.replaceChildren(
      ...[this.#heading()].filter(Boolean), ...this.#chosen(), ...(draft.complete ? this.#confirm() : draft.act ? this.#step() : this.#kinds()),
      html('p', { class: 'ask-message', role: 'status', text: this.message, data: { part: 'message' } }))
    this.choices?.offer(draft.act && draft.step ? draft : null, this.catalog, this.about.rule)
    // Go on where the last choice was made, but do not take the focus from somebody who reads.
    if (focus && hadFocus) this.node.querySelector('[data-choice], [data-do]')?.focus({ preventScroll: true })
  }

  // The prompt above tells what is asked by which rule; a reaction says what it reacts to.
  #heading() {
    const { reaction } = this.about
    return reaction ? html('p', { class: 'ask-reaction', text: `Just now: ${reaction}` }) : null
  }

  // What is chosen so far, with the way back.
  #chosen() {
    const { draft } = this
    if (!draft.canGoBack) return []
    const words = this.words.sentence(draft.act, draft.chosen, draft.choice)
    const begun = draft.partial.length ? ` … ${this.words.value(draft.partial, draft.step.domain)}` : ''
    return [html('p', { class: 'ask-chosen' }, html('span', { text: draft.complete ? '' : `${words}${begun}` }), ' ',
      html('button', { type: 'button', class: 'quiet', text: 'Back', data: { back: '' }, onclick: () => this.#back() }))]
  }

  #kinds() {
    const { draft } = this
    const rows = draft.kinds.flatMap((name) => {
      const few = draft.few(name, FEW)
      if (!few) return [[this.words.act(name), this.words.meaning(name), () => this.#begin(name)]]
      return few.map(([act, fields]) => [this.words.sentence(act, fields, draft.options.choices.find((each) => each.act === act)), few.length > 1 ? '' : this.words.meaning(name), () => this.#take(act, fields)])
    })
    return [this.#list(rows, 'What you can do')]
  }

  #list(rows, label) {
    return html('ul', { class: 'choices', 'aria-label': label }, rows.map(([words, more, choose, extra]) =>
      html('li', {}, html('button', { type: 'button', onclick: choose, data: { choice: extra ?? '' } },
        html('span', { class: 'choice-words', text: words }), more ? html('small', { class: 'choice-more', text: more }) : null))))
  }

  #step() {
    const { draft } = this
    const { step } = draft
    const label = this.words.field(draft.act, step.field)
    const all = draft.partial.length || Object.keys(draft.chosen).length ? null : draft.few(draft.act, FEW)
    if (all && !allNumbers(step)) {
      const rows = all.map(([act, fields]) => [this.words.sentence(act, fields, draft.choice), '', () => this.#take(act, fields)])
      return [html('h3', { text: this.words.act(draft.act) }), this.#list(rows, this.words.act(draft.act))]
    }
    const parts = [html('h3', { text: `${this.words.act(draft.act)}: ${label}` })]
    if (allNumbers(step)) parts.push(this.#numbers(step, label))
    else
      parts.push(this.#list(step.values.map((value) => [this.words.value(value), this.#remark(value), () => this.#pick(value), keyOf(value)]), label))
    if (step.finished)
      parts.push(html('button', {
        type: 'button', class: 'done', data: { choice: 'done' }, onclick: () => this.#finish(),
        text: draft.partial.length ? 'That is all' : 'None',
      }))
    return parts
  }

  // An amount: for one slot of an allocation, or for a field that is a number, such as the dial of a battle plan.
  #numbers(step, label) {
    const slot = step.domain.slots?.[this.draft.partial.length]
    const name = slot ? this.catalog.amount(2, slot).replace(/^2 /, '') : label
    return stepper({ name, values: step.values, dial: step.field === 'dial', choose: (value) => this.#pick(value) })
  }

  #remark(value) {
    return typeof value === 'string' && !this.catalog.areas.has(value) ? cardText(this.catalog, value) : ''
  }

  // The act as a whole: it cannot be taken back once it is sent.
  #confirm() {
    const { draft } = this
    const words = this.words.sentence(draft.act, draft.chosen, draft.choice)
    return [html('p', { class: 'ask-act' }, html('strong', { text: words })),
      html('button', { type: 'button', class: 'do', data: { do: '' }, disabled: this.sending, text: 'Do it', onclick: () => this.#send() })]
  }

  // --- choosing

  #begin(name) {
    this.#change((draft) => draft.begin(name))
  }

  #take(name, fields) {
    this.#change((draft) => draft.take(name, fields))
  }

  #pick(value) {
    this.#change((draft) => draft.pick(value))
  }

  #finish() {
    this.#change((draft) => draft.finish())
  }

  #back() {
    this.#change((draft) => draft.back())
  }

  back() {
    if (this.draft?.canGoBack && !this.sending) this.#back()
  }

  #change(make) {
    if (this.sending) return
    this.message = ''
    make(this.draft)
    this.#draw()
    if (this.draft.complete) this.speech?.polite(this.words.sentence(this.draft.act, this.draft.chosen, this.draft.choice))
  }

  #say(words) {
    this.message = words
    const place = this.node.querySelector('[data-part="message"]')
    if (place) place.textContent = words
  }

  async #send() {
    const { draft } = this
    this.sending = true
    this.#draw({ focus: false })
    const refused = await this.submit(draft.act, draft.chosen, (words) => this.#say(words))
    if (this.draft !== draft) return // another question has come meanwhile
    this.sending = false
    if (!refused) return
    draft.reset()
    this.message = [refused.message, refused.rule && `(${refused.rule})`].filter(Boolean).join(' ')
    this.#draw()
    this.speech?.urgent(this.message)
  }
}

const allNumbers = (step) => step.values.length > 0 && step.values.every((value) => typeof value === 'number')
