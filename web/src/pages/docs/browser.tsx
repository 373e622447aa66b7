import { render } from 'preact'
import './docs.css'
import { Results } from './results.tsx'

/* Finds while one types; the form works without it. */

const input = document.querySelector<HTMLInputElement>('#docs-question')
const place = document.getElementById('docs-found')

/** The newest question, since the index may arrive after it. */
async function find(): Promise<void> {
  if (input === null || place === null) return
  const { search } = await import('./search.ts')
  render(<Results question={input.value} found={search(input.value)} />, place)
}

// Where the index cannot be had, the form asks the service.
input?.addEventListener('input', () => void find().catch(() => {}))
