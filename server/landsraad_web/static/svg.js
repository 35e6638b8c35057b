// SVG and HTML elements, made without markup so that no text is ever read as markup.

const SVG = 'http://www.w3.org/2000/svg'

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue
    if (name === 'text') node.textContent = value
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
    else if (name === 'data') for (const [key, datum] of Object.entries(value)) node.dataset[key] = datum
    else node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false))
  return node
}

export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children)
export const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children)

// A number with at most one decimal: board units are ten-thousandths of its width.
export const round = (value) => Math.round(value * 10) / 10
export const points = (corners) => corners.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')
export const lines = (strokes) => strokes.map((stroke) => `M${stroke.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`).join('')

export const circle = ([cx, cy], r, cls, more) => svg('circle', { cx: round(cx), cy: round(cy), r: round(r), class: cls, ...more })
export const polygon = (corners, cls, more) => svg('polygon', { points: points(corners), class: cls, ...more })
export const path = (strokes, cls, more) => svg('path', { d: lines(strokes), class: cls, ...more })

// The corners of a regular polygon; `turn` in parts of a circle, 0 with a corner on top.
export function regular([x, y], radius, corners, turn = 0) {
  return Array.from({ length: corners }, (_, at) => {
    const angle = 2 * Math.PI * (at / corners + turn) - Math.PI / 2
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })
}

export function star(at, radius) {
  const inner = regular(at, radius * 0.45, 5, 0.1)
  return regular(at, radius, 5).flatMap((corner, n) => [corner, inner[n]])
}

// A text whose middle line lies at a point. The baseline is set by hand, as in landsraad.svg.
export const text = ([x, y], words, size, cls, anchor = 'middle') =>
  svg('text', { x: round(x), y: round(y + size * 0.35), 'font-size': round(size), 'text-anchor': anchor, class: cls, text: words })

// The approximate width of a text.
export function widthOf(words, size) {
  let width = 0
  for (const letter of words) width += "iljtfI.,:'|() ".includes(letter) ? 0.34 : 'mwMW—'.includes(letter) ? 0.9 : 0.63
  return width * size
}

// Bring the children of a node in line with keyed items: nodes stay, only what differs is made anew.
export function keyed(parent, items, make, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]))
  let before = null
  for (const [key, item] of items) {
    let node = old.get(key)
    if (node) old.delete(key)
    else {
      node = make(item)
      node.dataset.key = key
    }
    update?.(node, item)
    const place = before ? before.nextElementSibling : parent.firstElementChild
    if (place !== node) parent.insertBefore(node, place)
    before = node
  }
  for (const node of old.values()) node.remove()
}
