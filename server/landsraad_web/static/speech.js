// Announcements for screen readers: what is mine at once, the rest politely and not too much of it.

const POLITE_MS = 1_200
const MOST = 4

export class Speech {
  // `now` is an assertive live region, `soon` a polite one.
  constructor(now, soon) {
    this.now = now
    this.soon = soon
    this.waiting = []
  }

  // Say something at once. Equal words said again are heard again.
  urgent(words) {
    this.now.textContent = ''
    requestAnimationFrame(() => {
      this.now.textContent = words
    })
  }

  // Say something when there is a pause; of many things only the last few.
  polite(words) {
    this.waiting.push(words)
    if (this.waiting.length > MOST) this.waiting.splice(0, this.waiting.length - MOST)
    this.timer ??= setTimeout(() => {
      this.timer = null
      this.soon.textContent = this.waiting.join('. ')
      this.waiting = []
    }, POLITE_MS)
  }
}
