import { to } from '../../address.ts'
import { SearchForm } from './search-form.tsx'

/** What an address below /docs shows that no page has. */
export function Missing() {
  return (
    <>
      <h1>No such page</h1>
      <p>
        The documentation has no page at this address. Search it, or start from{' '}
        <a href={to('/docs')}>all documentation</a>.
      </p>
      <SearchForm />
    </>
  )
}
