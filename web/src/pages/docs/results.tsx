import { to } from '../../address.ts'
import { SECTIONS } from './document.ts'
import type { Entry } from './search.ts'

interface ResultsProps {
  readonly question: string
  readonly found: readonly Entry[]
}

/** What was found in the documentation. */
export function Results({ question, found }: ResultsProps) {
  if (question.trim() === '') return null
  return (
    <section class="found" aria-label="Search results">
      <p role="status">
        {found.length === 0
          ? `Nothing in the documentation has all the words of “${question}”. Try fewer or other words.`
          : `${found.length === 1 ? 'One result' : `${found.length} results`} for “${question}”`}
      </p>
      <ul>
        {found.map(({ path, title, heading, section, summary }) => (
          <li key={path}>
            <a href={to(path)}>{heading === '' ? title : `${title}: ${heading}`}</a>{' '}
            <span class="muted">{SECTIONS.find(({ name }) => name === section)?.title}</span>
            {summary !== '' && <p class="facts">{summary}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
