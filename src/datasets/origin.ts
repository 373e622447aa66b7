import Type from 'typebox'
import type { Release } from '../store/store.ts'
import { asUri } from '../values/addresses/addresses.ts'
import { Contact } from './contact.ts'
import * as field from './fields.ts'
import { type Metadata, NOTHING_STATED } from './metadata.ts'

const nullableAddress = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri', description })

/** The publisher of a dataset, its terms, and how often it is updated. Null if the operator has not stated a value. */
export const Origin = Type.Object({
  publisher: field.nullableText({ description: 'Whose data it is; null where not stated.' }),
  licence: field.nullableText({ description: 'Name of the licence; null where not stated.' }),
  licenceUrl: nullableAddress('The text of the licence.'),
  attribution: field.nullableText({ description: 'The words to show with the data.' }),
  sourceUrl: nullableAddress('The publisher’s page about it; null for invented data.'),
  contact: field.nullableObject(Contact, { description: 'Whom to ask about it.' }),
  updateFrequency: field.nullableText({
    description: 'How often it is updated, by the codes of the EU’s authority table `frequency`.',
    examples: ['MONTHLY'],
  }),
})
export type Origin = Type.Static<typeof Origin>

/** The origin of synthetic data. */
export const INVENTED: Origin = {
  publisher: 'Nobody: this data is invented',
  licence: 'CC0-1.0',
  licenceUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
  attribution: null,
  sourceUrl: null,
  contact: null,
  updateFrequency: null,
}

/** The origin of a release's data, as stated for the dataset or for all datasets. Synthetic data has a fixed origin. */
export function originOf(
  metadata: Metadata,
  { dataset, synthetic }: Pick<Release, 'dataset' | 'synthetic'>,
): Origin {
  if (synthetic) return INVENTED
  const own = metadata.datasets?.[dataset] ?? {}
  // A shared licence address is wrong for the dataset's own licence, and a shared attribution names the wrong publisher.
  const shared = own.licence === undefined ? metadata : NOTHING_STATED
  const words = own.publisher === undefined ? shared.attribution : undefined
  return {
    publisher: own.publisher ?? metadata.publisher ?? null,
    licence: own.licence ?? metadata.licence ?? null,
    licenceUrl: own.licenceUrl ?? shared.licenceUrl ?? null,
    attribution: own.attribution ?? words ?? null,
    sourceUrl: own.sourceUrl ?? null,
    contact: own.contact ?? metadata.contact ?? null,
    updateFrequency: own.updateFrequency ?? metadata.updateFrequency ?? null,
  }
}

/**
 * Returns the header Link (RFC 8288) of responses made from a dataset, each written once; undefined for an unknown name. IANA
 * has registered the relations: `license` (RFC 4946), `via` (RFC 4287) to the source, and `describedby` to the dataset in the
 * catalogue.
 */
export function datasetLinks(
  datasets: readonly { readonly name: string }[],
  metadata: Metadata = NOTHING_STATED,
  address = (path: string) => path,
): (dataset: string, synthetic: boolean) => string | undefined {
  const linksWhere = (synthetic: boolean) =>
    new Map(
      datasets.map(({ name }) => {
        const describedby = address(`/v1/datasets/${name}`)
        return [name, links(originOf(metadata, { dataset: name, synthetic }), describedby)]
      }),
    )
  const [real, invented] = [linksWhere(false), linksWhere(true)]
  return (dataset, synthetic) => (synthetic ? invented : real).get(dataset)
}

function links({ licenceUrl, sourceUrl }: Origin, describedby: string): string {
  const addresses = { license: licenceUrl, via: sourceUrl, describedby }
  return Object.entries(addresses)
    .flatMap(([rel, address]) => (address === null ? [] : [`<${asUri(address)}>; rel="${rel}"`]))
    .join(', ')
}

/** Publisher and licence as text. */
export function describeOrigin({ publisher, licence, licenceUrl }: Origin): string {
  const address = licenceUrl === null ? '' : ` (${licenceUrl})`
  return `Publisher: ${publisher ?? 'not stated'}. Licence: ${licence ?? 'not stated'}${address}.`
}
