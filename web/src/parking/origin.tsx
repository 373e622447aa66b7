import type { GetJson } from '../../../src/interfaces/web/explorer.ts'
import { orNull } from './attempt.ts'

/** Whose a dataset is, and what may be done with it. */
export interface Origin {
  readonly publisher: string | null
  readonly licence: string | null
  readonly licenceUrl: string | null
  readonly attribution: string | null
  readonly sourceUrl: string | null
}

/** Gets whose the car parks are. */
export async function loadOrigin(get: GetJson): Promise<Origin | null> {
  const found = await orNull(get<Origin>('/v1/datasets/carparks'))
  return found === null ? null : originOf(found)
}

/** Takes the origin out of an entry of the catalogue. */
export const originOf = ({ publisher, licence, licenceUrl, attribution, sourceUrl }: Origin): Origin => ({
  ...{ publisher, licence, licenceUrl, attribution, sourceUrl },
})

interface OriginLineProps {
  readonly origin: Origin | null
  /** Of what it is the origin. */
  readonly of?: string
}

/** Publisher and licence on one line, with the words that the licence asks for. */
export function OriginLine({ origin, of = 'Data' }: OriginLineProps) {
  if (origin === null) return null
  const { publisher, licence, licenceUrl, attribution, sourceUrl } = origin
  return (
    <p class="facts">
      {of}: <Linked text={publisher ?? 'publisher not stated'} address={sourceUrl} /> ·{' '}
      <Linked text={licence ?? 'licence not stated'} address={licenceUrl} />
      {attribution === null ? '' : ` · ${attribution}`}
    </p>
  )
}

const Linked = ({ text, address }: { readonly text: string; readonly address: string | null }) =>
  address === null ? text : <a href={address}>{text}</a>
