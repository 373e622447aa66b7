import type { components } from '../../../client/src/schema.ts'

/** Whose a dataset is, and what may be done with it. */
export type Origin = Pick<
  components['schemas']['CatalogueEntry'],
  'publisher' | 'licence' | 'licenceUrl' | 'attribution' | 'sourceUrl'
>

/** Takes the origin out of an entry of the catalogue. */
export const originOf = ({ publisher, licence, licenceUrl, attribution, sourceUrl }: Origin): Origin => ({
  ...{ publisher, licence, licenceUrl, attribution, sourceUrl },
})

/** The publisher, with a link to where the data comes from. */
export const Publisher = ({ of: { publisher, sourceUrl } }: { readonly of: Origin }) => (
  <Linked text={publisher ?? sourceUrl ?? 'publisher not stated'} address={sourceUrl} />
)

/** The licence, with a link to its text. */
export const Licence = ({ of: { licence, licenceUrl } }: { readonly of: Origin }) => (
  <Linked text={licence ?? licenceUrl ?? 'licence not stated'} address={licenceUrl} />
)

const Linked = ({ text, address }: { readonly text: string; readonly address: string | null }) =>
  address === null ? text : <a href={address}>{text}</a>

interface OriginLineProps {
  readonly origin: Origin | null
  /** Of what it is the origin. */
  readonly of?: string
}

/** Publisher and licence on one line, with the words that the licence asks for. */
export function OriginLine({ origin, of = 'Data' }: OriginLineProps) {
  if (origin === null) return null
  return (
    <p class="facts">
      {of}: <Publisher of={origin} /> · <Licence of={origin} />
      {origin.attribution === null ? '' : ` · ${origin.attribution}`}
    </p>
  )
}
