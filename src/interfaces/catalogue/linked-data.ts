import type { Metadata } from '../../datasets/metadata.ts'
import { essenceOf } from '../../http/negotiation.ts'
import { addressOf } from '../../values/addresses/address-of.ts'
import { asUri } from '../../values/addresses/addresses.ts'
import type { DatasetDescription } from './catalogue.ts'

/* The catalogue as JSON-LD, in two vocabularies. Members that are undefined are left out of JSON. */

type Json = Readonly<Record<string, unknown>>

/** The facts about the service in every vocabulary. */
type ServiceDescription = ReturnType<typeof describeService>

/**
 * Describes the service. If the operator states nothing, it has the minimum that vocabularies ask for. `baseUrl` is the public
 * base address, without a trailing slash.
 */
export function describeService(metadata: Metadata, baseUrl: string) {
  const {
    title,
    description = 'Public datasets of the island.',
    publisher = title,
    contact = null,
  } = metadata
  return { title, description, publisher, contact, baseUrl }
}

/** The writers of a vocabulary: for the catalogue, and for a single dataset. */
interface Vocabulary {
  readonly catalogue: (service: ServiceDescription, datasets: readonly DatasetDescription[]) => Json
  readonly dataset: (service: ServiceDescription, described: DatasetDescription) => Json
}

/** The description of a dataset, after a warning if the data is invented. */
const statement = ({ description, synthetic }: DatasetDescription): string =>
  synthetic ? `Invented data of a synthetic island. ${description}` : description

/** Writes a known value; undefined for an unknown value. */
const known = <T>(value: T | null | undefined, write: (value: T) => unknown): unknown =>
  value === null || value === undefined ? undefined : write(value)

const AUTHORITY = 'http://publications.europa.eu/resource/authority'

const inEnglish = (text: string): Json => ({ '@value': text, '@language': 'en' })
const node = (id: string): Json => ({ '@id': id })
const link = (address: string): Json => node(asUri(address))
const labelled = (type: string) => (label: string) => ({ '@type': type, 'rdfs:label': label })
const agent = (name: string): Json => ({ '@type': 'foaf:Agent', 'foaf:name': name })
const date = (text: string): Json => ({
  '@value': text,
  '@type': text.includes('T') ? 'xsd:dateTime' : 'xsd:date',
})

const contactPoint = ({ name, email, url }: NonNullable<ServiceDescription['contact']>): Json => ({
  '@type': 'vcard:Kind',
  'vcard:fn': name ?? email ?? url,
  'vcard:hasEmail': known(email, address => link(`mailto:${address}`)),
  'vcard:hasURL': known(url, link),
})

function area([west, south, east, north]: readonly number[]): Json {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const polygon = `POLYGON((${corners.map(corner => corner.join(' ')).join(', ')}))`
  return { '@type': 'dct:Location', 'dcat:bbox': { '@value': polygon, '@type': 'geo:wktLiteral' } }
}

const DCAT_CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geo: 'http://www.opengis.net/ont/geosparql#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/** A dataset in DCAT-AP 3. */
function dcatDataset({ baseUrl }: ServiceDescription, described: DatasetDescription): Json {
  const { title, licence, licenceUrl, attribution } = described
  return {
    '@id': addressOf(baseUrl, described.details),
    '@type': 'dcat:Dataset',
    'dct:identifier': described.name,
    'dct:title': inEnglish(title),
    'dct:description': inEnglish(statement(described)),
    'dct:publisher': known(described.publisher, agent),
    'dcat:contactPoint': known(described.contact, contactPoint),
    'dcat:landingPage': known(described.sourceUrl, link),
    'dct:accessRights': node(`${AUTHORITY}/access-right/PUBLIC`),
    'dct:accrualPeriodicity': known(described.updateFrequency, code =>
      node(`${AUTHORITY}/frequency/${code}`),
    ),
    'dct:modified': known(described.updatedAt, date),
    'dcat:version': known(described.release, String),
    'dct:spatial': known(described.spatial, ({ bbox }) => area(bbox)),
    'dct:temporal': known(described.temporal, ({ start, end }) => ({
      '@type': 'dct:PeriodOfTime',
      'dcat:startDate': date(start),
      'dcat:endDate': date(end),
    })),
    'dcat:distribution': described.formats.map(({ name, mediaType, path }) => ({
      '@type': 'dcat:Distribution',
      'dct:title': inEnglish(`${title}: ${name}`),
      'dcat:accessURL': node(addressOf(baseUrl, path)),
      // A type that starts with x- is not registered, so IANA has no address for it.
      'dcat:mediaType': mediaType.includes('/x-')
        ? undefined
        : node(`https://www.iana.org/assignments/media-types/${essenceOf(mediaType)}`),
      'dct:license': known(licenceUrl, link) ?? known(licence, labelled('dct:LicenseDocument')),
      'dct:rights': known(attribution, labelled('dct:RightsStatement')),
    })),
  }
}

const DCAT_AP: Vocabulary = {
  catalogue: (service, datasets) => ({
    '@context': DCAT_CONTEXT,
    '@id': addressOf(service.baseUrl, '/v1/datasets'),
    '@type': 'dcat:Catalog',
    'dct:title': inEnglish(service.title),
    'dct:description': inEnglish(service.description),
    'dct:publisher': agent(service.publisher),
    'dct:language': node(`${AUTHORITY}/language/ENG`),
    'dcat:contactPoint': known(service.contact, contactPoint),
    'foaf:homepage': node(addressOf(service.baseUrl, '/')),
    'dcat:dataset': datasets.map(each => dcatDataset(service, each)),
  }),
  dataset: (service, described) => ({ '@context': DCAT_CONTEXT, ...dcatDataset(service, described) }),
}

const SCHEMA_ORG_CONTEXT = 'https://schema.org/'

const organisation = (name: string): Json => ({ '@type': 'Organization', name })

const dataCatalogue = ({ title, baseUrl }: ServiceDescription): Json => ({
  '@type': 'DataCatalog',
  '@id': addressOf(baseUrl, '/v1/datasets'),
  name: title,
  url: addressOf(baseUrl, '/'),
})

/** A dataset in schema.org, with the members that dataset search engines ask for. */
function schemaOrgDataset({ baseUrl }: ServiceDescription, described: DatasetDescription): Json {
  const address = addressOf(baseUrl, described.details)
  const { licence, licenceUrl, temporal } = described
  return {
    '@type': 'Dataset',
    '@id': address,
    name: described.title,
    description: statement(described),
    url: address,
    identifier: described.name,
    license: known(licenceUrl, asUri) ?? licence ?? undefined,
    creator: known(described.publisher, organisation),
    creditText: described.attribution ?? undefined,
    isBasedOn: known(described.sourceUrl, asUri),
    isAccessibleForFree: true,
    datePublished: described.publishedAt ?? undefined,
    dateModified: described.updatedAt ?? undefined,
    version: described.release ?? undefined,
    temporalCoverage: known(temporal, ({ start, end }) => `${start}/${end}`),
    spatialCoverage: known(described.spatial, ({ bbox: [west, south, east, north] }) => ({
      '@type': 'Place',
      geo: { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` },
    })),
    variableMeasured: described.fields.map(({ name, description, unit }) => ({
      '@type': 'PropertyValue',
      name,
      description,
      unitText: unit ?? undefined,
    })),
    distribution: described.formats.map(({ mediaType, path }) => ({
      '@type': 'DataDownload',
      encodingFormat: essenceOf(mediaType),
      contentUrl: addressOf(baseUrl, path),
    })),
  }
}

const SCHEMA_ORG: Vocabulary = {
  catalogue: (service, datasets) => ({
    '@context': SCHEMA_ORG_CONTEXT,
    ...dataCatalogue(service),
    description: service.description,
    publisher: organisation(service.publisher),
    dataset: datasets.map(each => schemaOrgDataset(service, each)),
  }),
  dataset: (service, described) => ({
    '@context': SCHEMA_ORG_CONTEXT,
    ...schemaOrgDataset(service, described),
    includedInDataCatalog: dataCatalogue(service),
  }),
}

/** The vocabularies by the profiles that select them. */
export const VOCABULARIES = { 'dcat-ap': DCAT_AP, 'schema.org': SCHEMA_ORG }
