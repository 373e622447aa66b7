import { to } from '../address.ts'
import { shell } from '../texts/en/shell.ts'

/** The characters that the search takes. */
export const LONGEST_QUESTION = 100

/** The field that searches the whole service, without a script. */
export function SearchField({ id, question }: { readonly id: string; readonly question?: string }) {
  return (
    <search class="search-field no-print">
      <form action={to('/search')} method="get">
        <label class="visually-hidden" for={id}>
          {shell.searchLabel}
        </label>
        <input
          id={id}
          name="q"
          type="search"
          value={question}
          maxLength={LONGEST_QUESTION}
          autocomplete="off"
        />
        <button type="submit">{shell.search}</button>
      </form>
    </search>
  )
}
