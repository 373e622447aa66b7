import { parts } from '../texts/en/parts.ts'
import { text } from '../texts/text.ts'
import { grouped } from '../words/numbers.ts'

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
    <nav class="paging no-print" aria-label={parts.pages}>
      {page > 2 && <a href={linkTo(1)}>{parts.first}</a>}
      {page > 1 && (
        <a href={linkTo(before)} rel="prev">
          {parts.previous}
        </a>
      )}
      <span>
        {page > last
          ? text(parts.countedPages, { count: last })
          : text(parts.page, { page: grouped(page), last: grouped(last) })}
      </span>
      {page < last && (
        <a href={linkTo(page + 1)} rel="next">
          {parts.next}
        </a>
      )}
      {page < last - 1 && <a href={linkTo(last)}>{parts.last}</a>}
    </nav>
  )
}
