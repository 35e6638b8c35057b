// A stepper for amounts: only legal numbers, by buttons, by keys, or typed. A dial is a slider beside them.

import { html } from './svg.js'

let count = 0

export function stepper({ name, values, dial, choose }) {
  const sorted = [...values].sort((a, b) => a - b)
  const id = `amount-${(count += 1)}`
  const last = sorted.length - 1
  const input = html('input', {
    id, type: 'number', inputmode: 'numeric', value: String(sorted[0]), min: sorted[0], max: sorted[last], data: { choice: 'amount' },
  })
  const slider = dial ? html('input', { type: 'range', class: 'dial', min: 0, max: last, value: 0, 'aria-label': `${name}, as a dial` }) : null
  const at = () => sorted.indexOf(Number(input.value))
  const set = (place) => {
    const found = Math.max(0, Math.min(place, last))
    input.value = String(sorted[found])
    if (slider) slider.value = String(found)
    check()
  }
  const check = () => {
    const legal = at() >= 0
    ok.disabled = !legal
    input.setAttribute('aria-invalid', String(!legal))
  }
  const take = () => at() >= 0 && choose(Number(input.value))
  const less = html('button', { type: 'button', 'aria-label': `Less: ${name}`, text: '−', onclick: () => set(at() - 1) })
  const more = html('button', { type: 'button', 'aria-label': `More: ${name}`, text: '+', onclick: () => set(at() + 1) })
  const ok = html('button', { type: 'button', class: 'take', text: 'Take it', data: { amount: '' }, onclick: take })
  input.addEventListener('input', () => {
    if (slider && at() >= 0) slider.value = String(at())
    check()
  })
  input.addEventListener('keydown', (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step) {
      event.preventDefault()
      set(at() + step)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take()
    }
  })
  slider?.addEventListener('input', () => set(Number(slider.value)))
  const range = sorted.length === sorted[last] - sorted[0] + 1 ? `${sorted[0]} to ${sorted[last]}` : sorted.join(', ')
  return html('div', { class: `stepper${dial ? ' with-dial' : ''}` },
    html('label', { for: id, text: `${name} (${range}) ` }), less, input, more, slider, ok)
}
