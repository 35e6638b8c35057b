// Study of a finished match: who was winning, as curves that lead to positions, and a searching bot's candidates.

import { AskWords } from './ask_words.js'
import { getJson } from './fetch.js'
import { round, svg, html } from './svg.js'
import { decode } from './values.js'

const [WIDTH, HEIGHT, MARGIN] = [600, 130, 4]
const percent = (share) => `${Math.round(share * 100)} %`

// Offer the study of a match below its scrubber and beside its board.
export function attachStudy(table, id) {
  if (table.match.state !== 'MATCH_STATE_OVER') return
  new WinCurves(table, id)
  new Candidates(table, id)
}

function reportTo(node, error) {
  node.textContent = error.reason === 'no_value' ? 'No value has been learned for this mode of the game.' : error.message
}

class WinCurves {
  constructor(table, id) {
    this.table = table
    this.curve = null
    this.plot = html('div', { class: 'curve-plot' })
    this.words = html('p', { id: 'curve-words', role: 'status' })
    const button = html('button', {
      type: 'button', class: 'quiet', id: 'show-curve', text: 'Who was winning',
      onclick: async () => {
        button.disabled = true
        this.words.textContent = 'Computing …'
        try {
          this.curve = await getJson(`/api/replays/${id}/values`)
          button.remove()
          this.draw()
        } catch (error) {
          button.disabled = false
          reportTo(this.words, error)
        }
      },
    })
    table.part('scrub').after(html('div', { class: 'curves' }, button, this.plot, this.words))
    table.addEventListener('position', () => this.draw())
    table.scrubber.node.addEventListener('spoilers', () => this.draw())
  }

  // The points that may be shown: what comes after the position is for those who want to see the end.
  #shown(step) {
    const { points } = this.curve
    return this.table.scrubber.open ? points : points.filter((point) => point.step <= step)
  }

  draw() {
    if (!this.curve) return
    const { timeline, catalog } = this.table
    const now = timeline.stepsAt(timeline.number)
    const points = this.#shown(now)
    if (!points.length) {
      this.plot.replaceChildren()
      this.words.textContent = 'Nothing can be said of the set-up yet.'
      return
    }
    const first = points[0].step
    const span = Math.max(1, points.at(-1).step - first)
    const x = (step) => MARGIN + ((step - first) / span) * (WIDTH - 2 * MARGIN)
    const y = (share) => MARGIN + (1 - share) * (HEIGHT - 2 * MARGIN)
    const lines = this.curve.sides.map(([side], at) => svg('polyline', {
      class: `curve-line ${catalog.game}-${side}`, points: points.map((point) => `${round(x(point.step))},${round(y(point.values[at]))}`).join(' '),
    }))
    // A strip of the picture for each point leads to its position.
    const strips = points.map((point, at) => {
      const left = at ? (x(points[at - 1].step) + x(point.step)) / 2 : 0
      const right = at + 1 < points.length ? (x(point.step) + x(points[at + 1].step)) / 2 : WIDTH
      const number = timeline.atStep(point.step)
      const values = this.curve.sides.map(([side], n) => `${catalog.title(side)} ${percent(point.values[n])}`).join(', ')
      return svg('a', {
        href: `?at=${number}`, tabindex: -1,
        onclick: (event) => {
          event.preventDefault()
          this.table.goTo(number, { speak: true })
        },
      }, svg('title', { text: values }), svg('rect', { class: 'curve-strip', x: round(left), y: 0, width: round(Math.max(0.5, right - left)), height: HEIGHT }))
    })
    const present = points.findLast((point) => point.step <= now) ?? points[0]
    const mark = svg('line', { class: 'curve-now', x1: round(x(present.step)), x2: round(x(present.step)), y1: 0, y2: HEIGHT })
    const half = svg('line', { class: 'curve-half', x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5) })
    const said = this.curve.sides.map(([side], at) => [catalog.title(side), present.values[at]]).sort((one, other) => other[1] - one[1])
    this.words.textContent = `Probability to win: ${said.map(([title, share]) => `${title} ${percent(share)}`).join(', ')}.`
    this.plot.replaceChildren(svg('svg', {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'curve', preserveAspectRatio: 'none', 'aria-hidden': 'true',
    }, half, mark, lines, strips))
  }
}

class Candidates {
  constructor(table, id) {
    this.table = table
    this.id = id
    this.words = new AskWords(table.catalog)
    this.node = table.part('advice')
    if (table.seat === null) return // only a seat is asked
    this.result = html('div', { id: 'candidates', role: 'status' })
    this.button = html('button', { type: 'button', id: 'show-candidates', text: 'Ask the searching bot', onclick: () => this.#ask() })
    this.node.replaceChildren(html('h2', { text: 'Study' }), this.button, this.result)
    this.node.hidden = false
    table.addEventListener('position', () => this.#offer())
    this.#offer()
  }

  // The question that stands open at the position, or that is put before the next public step; 0 if there is none.
  #decision() {
    const { timeline } = this.table
    for (let number = timeline.number; number > timeline.first; number -= 1) {
      const entry = timeline.entry(number)
      if (entry.question) return number
      if (entry.answer || entry.withdrawn) break
    }
    for (let number = timeline.number + 1; number <= timeline.last; number += 1) {
      const entry = timeline.entry(number)
      if (entry.question) return number
      if (entry.step) break
    }
    return 0
  }

  #offer() {
    const number = this.#decision()
    this.button.disabled = !number
    if (number === this.number) return
    this.number = number
    this.result.replaceChildren(html('p', { text: number ? '' : 'This seat decides nothing here. Step to one of its decisions.' }))
  }

  async #ask() {
    const { number } = this
    this.button.disabled = true
    this.result.replaceChildren(html('p', { text: 'Computing …' }))
    try {
      const found = await getJson(`/api/replays/${this.id}/advice?seat=${this.table.seat}&at=${number}`)
      if (number === this.number) this.#show(found)
    } catch (error) {
      if (number === this.number) reportTo(this.result, error)
    }
    this.button.disabled = !this.number
  }

  #sentence({ generic }) {
    return this.words.sentence(generic.name, Object.fromEntries((generic.fields ?? []).map(({ name, value }) => [name, decode(value)])))
  }

  #show({ chosen, played, note, candidates }) {
    const key = JSON.stringify(chosen)
    const rows = candidates.map((row) => html('tr', {},
      html('th', { scope: 'row', text: `${JSON.stringify(row.act) === key ? '→ ' : ''}${this.#sentence(row.act)}` }),
      html('td', { text: row.value === null ? 'not tried' : percent(row.value) }),
      html('td', { text: row.value === null ? '' : `${percent(row.low)} to ${percent(row.high)}` })))
    this.result.replaceChildren(...[
      played && html('p', { text: `Played: ${this.#sentence(played)}.` }),
      note && html('p', { text: `Not searched: ${note}.` }),
      html('table', {}, html('caption', { text: 'Candidates; the arrow marks the choice' }),
        html('thead', {}, html('tr', {}, ['Act', 'Expected win', '95 % interval'].map((text) => html('th', { scope: 'col', text })))),
        html('tbody', {}, rows)),
    ].filter(Boolean))
  }
}
