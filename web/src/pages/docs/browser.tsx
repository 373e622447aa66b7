import { render } from 'preact'
import './docs.css'
import { Results } from './search-form.tsx'

/* Searches while somebody types. The form works without this script. */

const input = document.querySelector<HTMLInputElement>('#docs-question')
const place = document.getElementById('docs-found')

/** Shows the results of the newest question: the index may arrive after it. */
async function find(): Promise<void> {
  if (input === null || place === null) return
  const { search } = await import('./search.ts')
  render(<Results question={input.value} found={search(input.value)} />, place)
}

// Without the index, the form asks the service.
input?.addEventListener('input', () => void find().catch(() => {}))
