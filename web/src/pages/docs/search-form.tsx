import { to } from '../../address.ts'
import { docs } from '../../texts/en/docs.ts'
import { Results } from './results.tsx'
import type { Entry } from './search.ts'

interface SearchFormProps {
  readonly question?: string
  readonly found?: readonly Entry[]
}

/** Search in the documentation: a form that works without scripts, and a place for results while somebody types. */
export function SearchForm({ question = '', found = [] }: SearchFormProps) {
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
