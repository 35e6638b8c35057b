// Acts, fields and values in words: from the wording of the catalog, which the terminal shares.

import { capital, humanised, listed } from './names.js'

export class AskWords {
  constructor(catalog) {
    this.catalog = catalog
    this.words = catalog.words
  }

  // An act as a prompt offers it.
  act(name) {
    return this.words.acts[name] ?? capital(humanised(name))
  }

  // What an act does; empty if there is nothing to say.
  meaning(name) {
    return this.words.meanings[name] ?? this.catalog.acts.get(name)?.meaning ?? ''
  }

  field(act, name) {
    return this.words.fields[`${act}.${name}`] ?? this.words.fields[name] ?? humanised(name)
  }

  // A value of a field.
  value(value, domain = null) {
    if (typeof value === 'string' && value in this.words.values) return this.words.values[value]
    if (Array.isArray(value) && domain?.slots) {
      const parts = value.map((n, at) => (n ? this.catalog.amount(n, domain.slots[at]) : '')).filter(Boolean)
      return parts.length ? listed(parts) : 'none'
    }
    if (Array.isArray(value)) return value.length ? listed(value.map((item) => this.value(item))) : 'none'
    return this.catalog.say(value)
  }

  #phrase(act, field, value, domain) {
    const phrase = this.words.phrases[`${act}.${field}`] ?? this.words.phrases[field]
    const none = value === null || value === false || (Array.isArray(value) && !value.length)
    if (this.words.countable.includes?.(field) && value === 0) return ''
    if (Array.isArray(phrase)) return (none ? phrase[1] : phrase[0]).replace('{}', this.value(value, domain)).replaceAll('(s)', value === 1 ? '' : 's')
    if (none && value !== false) return ''
    if (phrase) return phrase.replace('{}', this.value(value, domain)).replaceAll('(s)', value === 1 ? '' : 's')
    if (typeof value === 'boolean') return value ? humanised(field) : ''
    return `${this.field(act, field)}: ${this.value(value, domain)}`
  }

  // A whole act, or the part of it that is chosen.
  sentence(act, fields, choice = null) {
    const domains = new Map((choice?.fields ?? []).map(({ name, domain }) => [name, domain]))
    const parts = Object.entries(fields).map(([name, value]) => this.#phrase(act, name, value, domains.get(name))).filter(Boolean)
    return [this.act(act), ...parts].join(', ').replace(', ', parts.length ? ': ' : ', ')
  }
}
