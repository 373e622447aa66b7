import { docs } from '../../texts/en/docs.ts'
import { link, rich } from '../../texts/rich.tsx'
import { SearchForm } from './search-form.tsx'

/** The page for an unknown address below /docs. */
export function Missing() {
  return (
    <>
      <h1>{docs.notFound}</h1>
      <p>{rich(docs.notFoundDetail, { link: link('/docs') })}</p>
      <SearchForm />
    </>
  )
}
