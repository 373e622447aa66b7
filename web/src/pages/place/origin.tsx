import { dateOf } from '../../words/island-time.ts'
import type { Origin } from './load.ts'

interface OriginProps {
  readonly dataset: string
  readonly origin: Origin
  /** Where the record is for programs. */
  readonly path: string
}

/** Whose the data of a place is, under which licence, and of when. */
export function OriginOf({ dataset, origin, path }: OriginProps) {
  const { publisher, licence, licenceUrl, attribution, sourceUrl, updatedAt, title } = origin
  return (
    <footer class="place-origin">
      <h2>About this data</h2>
      <p>
        From <a href={`/data/${dataset}`}>{title}</a>
        {publisher !== null && (
          <>
            {', published by '}
            {sourceUrl === null ? publisher : <a href={sourceUrl}>{publisher}</a>}
          </>
        )}
        {updatedAt !== null && `, released on ${dateOf(updatedAt)}`}.
      </p>
      {licence !== null && (
        <p>Licence: {licenceUrl === null ? licence : <a href={licenceUrl}>{licence}</a>}.</p>
      )}
      {attribution !== null && <p>{attribution}</p>}
      <p>
        <a href={path}>This record as JSON</a>
      </p>
    </footer>
  )
}
