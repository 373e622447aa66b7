import { to } from '../../address.ts'
import { docs } from '../../texts/en/docs.ts'
import { text } from '../../texts/text.ts'
import { SECTIONS } from './document.ts'
import type { Entry } from './search.ts'

interface ResultsProps {
  readonly question: string
  readonly found: readonly Entry[]
}

/** The results of a search in the documentation. */
export function Results({ question, found }: ResultsProps) {
  if (question.trim() === '') return null
  return (
    <section class="found" aria-label={docs.results}>
      <p role="status">
        {found.length === 0
          ? text(docs.nothing, { question })
          : text(docs.found, { count: found.length, question })}
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

/** Search in the documentation: a form that works without scripts, and a place for results while somebody types. */
export function SearchForm({ question = '', found = [] }: Partial<ResultsProps>) {
  return (
    <search class="no-print">
      <form class="fields docs-search" action={to('/docs')} method="get">
        <div class="field">
          <label for="docs-question">{docs.searchLabel}</label>
          <input id="docs-question" name="q" type="search" value={question} autocomplete="off" />
        </div>
        <button type="submit">{docs.search}</button>
      </form>
      <div id="docs-found">
        <Results question={question} found={found} />
      </div>
    </search>
  )
}
