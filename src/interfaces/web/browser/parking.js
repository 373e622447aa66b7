/*
 * Runs in the browser on the page of free spaces: fetches the page again every minute, and takes its counts. Counts that it
 * cannot update are marked as old, and go when the service itself would call them stale: no old count looks like a new one.
 */

const UPDATE_MS = 60_000
const TIMEOUT_MS = 10_000
/** As staleAfterMs of the service. */
const STALE_AFTER_MS = 15 * 60_000

const state = document.querySelector('#state')
const counts = () => document.querySelector('#counts')
const countedAt = () => Date.parse(counts().querySelector('time')?.dateTime)

/** How far the service's clock is ahead of the device's, which may be wrong. */
let ahead = 0
const now = () => Date.now() + ahead

/** When the counts were last known to be current; undefined at first, for the browser may show a copy that it kept. */
let updatedAt
let timer
let updating = false

async function fetchCounts() {
  const response = await fetch('/parking', { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fetched = page.querySelector('#counts')
  // An error, or the login page of a public network.
  if (!response.ok || fetched === null) throw new Error('not the page of free spaces')
  ahead = (Date.parse(response.headers.get('date')) || Date.now()) - Date.now()
  return fetched
}

/** Screen readers announce it, so it changes only when there is something new to say. */
function say(text) {
  if (state.textContent !== text) state.textContent = text
}

function markAsOld() {
  const { timeZone } = counts().dataset
  updatedAt ??= countedAt() || now()
  const since = new Date(updatedAt).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })
  say(
    `Not updated since ${since}: this device is offline, or the service does not respond. The spaces may have changed. The page tries again every minute.`,
  )
  counts().classList.add('old')
  setHeadings('old')
}

/** Has the columns say when their counts are from (`old`), or read as at first (`current`). */
function setHeadings(age) {
  for (const heading of counts().querySelectorAll('[data-old]')) {
    heading.dataset.current ??= heading.textContent
    heading.textContent = heading.dataset[age]
  }
}

function removeStaleCounts() {
  if (!(now() - countedAt() > STALE_AFTER_MS)) return
  for (const cell of counts().querySelectorAll('.count')) {
    cell.className = 'unknown'
    cell.textContent = 'not known'
  }
  setHeadings('current')
}

async function update() {
  if (updating) return
  updating = true
  clearTimeout(timer)
  try {
    const fetched = await fetchCounts()
    if (fetched.outerHTML !== counts().outerHTML) counts().replaceWith(fetched)
    updatedAt = now()
    say('This page updates every minute.')
  } catch {
    markAsOld()
  }
  removeStaleCounts()
  timer = setTimeout(updateIfVisible, UPDATE_MS)
  updating = false
}

/** A device that slept shows the page as it was before anything can be fetched. */
function updateIfVisible() {
  if (document.hidden) return
  if (now() - updatedAt > 2 * UPDATE_MS) markAsOld()
  removeStaleCounts()
  update()
}

document.addEventListener('visibilitychange', updateIfVisible)
addEventListener('pageshow', updateIfVisible)
addEventListener('online', updateIfVisible)
