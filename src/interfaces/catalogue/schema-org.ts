import { addressOf } from '../../values/addresses/address-of.ts'
import { asUri } from '../../values/addresses/addresses.ts'
import type { DatasetDescription } from './catalogue.ts'
import { type Json, type ServiceDescription, statement } from './linked-data.ts'

const CONTEXT = 'https://schema.org/'

/** The catalogue by schema.org. Members that are undefined are left out of JSON. */
export function schemaOrgCatalogue(
  service: ServiceDescription,
  datasets: readonly DatasetDescription[],
): Json {
  return {
    '@context': CONTEXT,
    ...catalogue(service),
    description: service.description,
    publisher: organisation(service.publisher),
    dataset: datasets.map(each => dataset(each, service)),
  }
}

/** One dataset by schema.org, with the members that dataset search engines ask for. */
export const schemaOrgDataset = (described: DatasetDescription, service: ServiceDescription): Json => ({
  '@context': CONTEXT,
  ...dataset(described, service),
  includedInDataCatalog: catalogue(service),
})

const catalogue = ({ title, baseUrl }: ServiceDescription): Json => ({
  '@type': 'DataCatalog',
  '@id': addressOf(baseUrl, '/v1/datasets'),
  name: title,
  url: addressOf(baseUrl, '/'),
})

function dataset(described: DatasetDescription, { baseUrl }: ServiceDescription): Json {
  const { name, title, publisher, licence, licenceUrl, attribution, sourceUrl } = described
  const { publishedAt, updatedAt, release, spatial, temporal, fields, formats, details } = described
  const [west, south, east, north] = spatial?.bbox ?? []
  return {
    '@type': 'Dataset',
    '@id': addressOf(baseUrl, details),
    name: title,
    description: statement(described),
    url: addressOf(baseUrl, details),
    identifier: name,
    license: licenceUrl === null ? (licence ?? undefined) : asUri(licenceUrl),
    creator: publisher === null ? undefined : organisation(publisher),
    creditText: attribution ?? undefined,
    isBasedOn: sourceUrl === null ? undefined : asUri(sourceUrl),
    isAccessibleForFree: true,
    datePublished: publishedAt ?? undefined,
    dateModified: updatedAt ?? undefined,
    version: release ?? undefined,
    temporalCoverage: temporal === null ? undefined : `${temporal.start}/${temporal.end}`,
    spatialCoverage:
      spatial === null
        ? undefined
        : { '@type': 'Place', geo: { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` } },
    variableMeasured: fields.map(({ name, description, unit }) => ({
      '@type': 'PropertyValue',
      name,
      description,
      unitText: unit ?? undefined,
    })),
    distribution: formats.map(({ mediaType, path }) => ({
      '@type': 'DataDownload',
      encodingFormat: mediaType.split(';', 1).join(''),
      contentUrl: addressOf(baseUrl, path),
    })),
  }
}

const organisation = (name: string): Json => ({ '@type': 'Organization', name })
