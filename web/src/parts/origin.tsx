import type { components } from '../../../client/src/schema.ts'
import { parts } from '../texts/en/parts.ts'
import { rich } from '../texts/rich.tsx'
import { dateOf } from '../words/island-time.ts'

/** The publisher and the licence of a dataset. */
export type Origin = Pick<
  components['schemas']['CatalogueEntry'],
  'publisher' | 'licence' | 'licenceUrl' | 'attribution' | 'sourceUrl'
>

/** Takes the origin out of an entry of the catalogue. */
export const originOf = ({ publisher, licence, licenceUrl, attribution, sourceUrl }: Origin): Origin => ({
  ...{ publisher, licence, licenceUrl, attribution, sourceUrl },
})

/** The publisher, with a link to the source. */
export const Publisher = ({ of: { publisher, sourceUrl } }: { readonly of: Origin }) => (
  <Linked text={publisher ?? sourceUrl ?? parts.noPublisher} address={sourceUrl} />
)

/** The licence, with a link to its text. */
export const Licence = ({ of: { licence, licenceUrl } }: { readonly of: Origin }) => (
  <Linked text={licence ?? licenceUrl ?? parts.noLicence} address={licenceUrl} />
)

const Linked = ({ text, address }: { readonly text: string; readonly address: string | null }) =>
  address === null ? text : <a href={address}>{text}</a>

interface OriginLineProps {
  readonly origin: Origin | null
  /** The data that comes from there. */
  readonly of?: string
}

/** Publisher and licence on one line, with the attribution that the licence asks for. */
export function OriginLine({ origin, of = parts.data }: OriginLineProps) {
  if (origin === null) return null
  return (
    <p class="facts">
      {of}: <Publisher of={origin} /> · <Licence of={origin} />
      {origin.attribution === null ? '' : ` · ${origin.attribution}`}
    </p>
  )
}

/** The date of the newest release, as a sentence. */
export const UpdatedAt = ({ at }: { readonly at: string }) =>
  rich(parts.updated, { date: dateOf(at), time: words => <time dateTime={at}>{words}</time> })
