// Plain values: what `Value` messages hold, as JavaScript has them. Nothing is null, a list is an array.

export const UNKNOWN = '?'

export function decode(value) {
  if (value === undefined || value === null) return null
  if ('number' in value) return value.number
  if ('text' in value) return value.text
  if ('flag' in value) return value.flag
  if ('list' in value) return (value.list.items ?? []).map(decode)
  return null
}

export function encode(value) {
  if (typeof value === 'number') return { number: value }
  if (typeof value === 'string') return { text: value }
  if (typeof value === 'boolean') return { flag: value }
  if (Array.isArray(value)) return { list: value.length ? { items: value.map(encode) } : {} }
  return {}
}

// A text that is the same for equal values and differs for others: true is not 1.
export const keyOf = (value) => JSON.stringify(value)

export const same = (one, other) => one === other || (typeof one === 'object' && keyOf(one) === keyOf(other))

// Order by code point, as UTF-8 bytes are ordered; JavaScript compares UTF-16 units.
export function byCodePoint(one, other) {
  const [a, b] = [[...one], [...other]]
  for (let at = 0; at < a.length && at < b.length; at += 1)
    if (a[at] !== b[at]) return a[at].codePointAt(0) - b[at].codePointAt(0)
  return a.length - b.length
}

export const bySize = (one, other) =>
  typeof one === 'number' && typeof other === 'number' ? one - other : byCodePoint(String(one), String(other))
