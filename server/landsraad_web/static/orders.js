// Standing orders: windows in which a seat does not want to be asked, plays that it wants to be offered.

import { capital, humanised } from './names.js'
import { html } from './svg.js'

const words = (order) => {
  if (order === 'auto') return 'Do not ask me where I could only pass'
  if (order.startsWith('ask:')) return `Offer me: ${humanised(order.slice(4))}`
  return `Pass for me: ${humanised(order)}`
}

export class Orders {
  // `send` replaces the orders and returns a promise of a refusal, or of nothing.
  constructor(table, send) {
    const node = table.part('orders')
    const known = table.catalog.message.standingOrders ?? []
    const own = new Set(table.fold.places.get(`orders/${table.seat}`) ?? ['auto'])
    const said = html('p', { role: 'status' })
    const change = async () => {
      const orders = [...node.querySelectorAll('input:checked')].map((box) => box.value)
      const refused = await send(orders)
      said.textContent = refused ? refused.message : 'Kept.'
    }
    node.hidden = !known.length
    node.replaceChildren(html('details', {}, html('summary', { text: 'Standing orders' }),
      html('ul', { class: 'orders-list' }, known.map((order) => html('li', {}, html('label', {},
        html('input', { type: 'checkbox', value: order, checked: own.has(order), onchange: change }), ' ', capital(words(order)))))), said))
  }
}
