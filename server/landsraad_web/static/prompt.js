// The prompt: that a seat is asked, about what, by which rule. The composer of answers has its place below it.

import { capital, humanised, listed } from './names.js'
import { filledFacts, frameFacts } from './sentences.js'
import { html } from './svg.js'

export class Prompt {
  constructor(table) {
    this.table = table
    this.node = table.part('prompt')
    this.what = table.part('what')
    this.told = ''
  }

  // Show the open question of the seat, and say so at once if it is new.
  update(fold, following) {
    const { table } = this
    const question = table.seat !== null && table.mode === 'live' ? fold.question : null
    this.node.hidden = !question
    if (!question) {
      this.told = ''
      return
    }
    const lines = this.lines(fold, question)
    const { rule } = question
    const statement = table.catalog.rule(rule)
    this.what.replaceChildren(...lines.map((text) => html('p', { text })),
      html('details', { class: 'why' }, html('summary', { text: `Asked by ${rule}` }), html('p', { text: statement?.text ?? '' })))
    const key = String(question.decisionId ?? fold.number)
    if (key === this.told || !following) return
    this.told = key
    table.speech.urgent(`Your decision. ${lines.join(' ')}`)
    if (document.hidden) document.title = `● ${document.title.replace(/^● /, '')}`
    else document.title = document.title.replace(/^● /, '')
  }

  // What is going on, and what can be done about it.
  lines(fold, question) {
    const { catalog } = this.table
    const told = (fold.step?.frames ?? []).flatMap((frame) => {
      const sentence = catalog.words.uses[frame.name]
      return sentence ? [filledFacts(sentence, frameFacts(frame), catalog)] : []
    })
    const kinds = [...new Set((question.options?.choices ?? []).map((choice) => choice.act))]
    const acts = kinds.map((kind) => catalog.words.acts[kind] ?? capital(humanised(kind)))
    return [...told.slice(-2), kinds.length === 1 ? `${acts[0]}. ${meaning(catalog, kinds[0])}` : `You can choose: ${listed(acts)}.`]
  }
}

export function meaning(catalog, act) {
  return catalog.words.meanings[act] ?? (catalog.acts.get(act)?.meaning ?? '').split('\n')[0]
}
