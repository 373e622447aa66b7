import { counted, grouped } from '../words/numbers.ts'

interface PagingProps {
  readonly page: number
  readonly totalPages: number
  readonly linkTo: (page: number) => string
}

/** Leads from one page of a list to the others. */
export function Paging({ page, totalPages, linkTo }: PagingProps) {
  if (totalPages <= 1 && page === 1) return null
  const last = Math.max(totalPages, 1)
  const before = page > last ? last : page - 1
  return (
    <nav class="paging no-print" aria-label="Pages">
      {page > 2 && <a href={linkTo(1)}>First</a>}
      {page > 1 && (
        <a href={linkTo(before)} rel="prev">
          Previous
        </a>
      )}
      <span>{page > last ? counted(last, 'page') : `Page ${grouped(page)} of ${grouped(last)}`}</span>
      {page < last && (
        <a href={linkTo(page + 1)} rel="next">
          Next
        </a>
      )}
      {page < last - 1 && <a href={linkTo(last)}>Last</a>}
    </nav>
  )
}
