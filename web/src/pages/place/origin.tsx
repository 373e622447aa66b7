import { to } from '../../address.ts'
import { Licence, Publisher } from '../../parts/origin.tsx'
import { dateOf } from '../../words/island-time.ts'
import type { PlaceOrigin } from './load.ts'

interface OriginProps {
  readonly dataset: string
  readonly origin: PlaceOrigin
  /** Where the record is for programs. */
  readonly path: string
}

/** Whose the data of a place is, under which licence, and of when. */
export function OriginOf({ dataset, origin, path }: OriginProps) {
  const { attribution, updatedAt, title } = origin
  return (
    <footer class="place-origin">
      <h2>About this data</h2>
      <p>
        From <a href={to(`/data/${dataset}`)}>{title}</a>
        {origin.publisher !== null && (
          <>
            {', published by '}
            <Publisher of={origin} />
          </>
        )}
        {updatedAt !== null && `, released on ${dateOf(updatedAt)}`}.
      </p>
      {(origin.licence ?? origin.licenceUrl) !== null && (
        <p>
          Licence: <Licence of={origin} />.
        </p>
      )}
      {attribution !== null && <p>{attribution}</p>}
      <p>
        <a href={to(path)}>This record as JSON</a>
      </p>
    </footer>
  )
}
