// Fetching JSON with errors that say what went wrong.

export class Failed extends Error {
  constructor(status, error) {
    super(error?.message ?? `the page answered with status ${status}`)
    this.status = status
    this.reason = error?.reason ?? ''
    this.error = error ?? {}
  }
}

export async function getJson(address) {
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  const body = await answer.json().catch(() => null)
  if (!answer.ok) throw new Failed(answer.status, body?.error)
  return body
}
