// Keys of a player: x passes, X passes until something changes, Escape goes back, numbers choose.

const WRITING = 'input, textarea, select'

export function addPlayingKeys(playing) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') playing.composer.back()
    else if (event.target.closest?.(WRITING)) return
    else if (event.key === 'x') playing.pass()
    else if (event.key === 'X') playing.passOn()
    else if (/^[1-9]$/.test(event.key)) playing.prompt.querySelectorAll('[data-choice]')[Number(event.key) - 1]?.click()
    else return
    event.preventDefault()
  })
}
