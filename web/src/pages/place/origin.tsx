import { to } from '../../address.ts'
import { OriginLine } from '../../parts/origin.tsx'
import { place as texts } from '../../texts/en/place.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { dateOf } from '../../words/island-time.ts'
import type { PlaceOrigin } from './load.ts'

interface OriginProps {
  readonly dataset: string
  readonly origin: PlaceOrigin
  /** The path of the record in the API. */
  readonly path: string
}

/** The publisher, the licence and the date of a place's data. */
export function OriginOf({ dataset, origin, path }: OriginProps) {
  const { updatedAt, title } = origin
  return (
    <footer class="place-origin">
      <h2>{texts.about}</h2>
      <p>
        {rich(texts.from, { title, dataset: link(`/data/${dataset}`) })}{' '}
        {updatedAt !== null && text(texts.released, { date: dateOf(updatedAt) })}
      </p>
      <OriginLine origin={origin} />
      <p>
        <a href={to(path)}>{texts.asJson}</a>
      </p>
    </footer>
  )
}
