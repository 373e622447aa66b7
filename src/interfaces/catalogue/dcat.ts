import { addressOf } from '../../values/addresses/address-of.ts'
import { asUri } from '../../values/addresses/addresses.ts'
import type { DatasetDescription } from './catalogue.ts'
import { type Json, type ServiceDescription, statement } from './linked-data.ts'

const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geo: 'http://www.opengis.net/ont/geosparql#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

const AUTHORITY = 'http://publications.europa.eu/resource/authority'

/** The catalogue by DCAT-AP 3. Members that are undefined are left out of JSON. */
export function dcatCatalogue(service: ServiceDescription, datasets: readonly DatasetDescription[]): Json {
  const { title, description, publisher, contact, baseUrl } = service
  return {
    '@context': CONTEXT,
    '@id': addressOf(baseUrl, '/v1/datasets'),
    '@type': 'dcat:Catalog',
    'dct:title': inEnglish(title),
    'dct:description': inEnglish(description),
    'dct:publisher': agent(publisher),
    'dct:language': { '@id': `${AUTHORITY}/language/ENG` },
    'dcat:contactPoint': contactPoint(contact),
    'foaf:homepage': { '@id': addressOf(baseUrl, '/') },
    'dcat:dataset': datasets.map(each => dataset(each, baseUrl)),
  }
}

/** One dataset by DCAT-AP 3. */
export const dcatDataset = (
  described: DatasetDescription,
  { baseUrl }: Pick<ServiceDescription, 'baseUrl'>,
): Json => ({
  '@context': CONTEXT,
  ...dataset(described, baseUrl),
})

function dataset(described: DatasetDescription, baseUrl: string): Json {
  const { name, title, publisher, contact, sourceUrl, updateFrequency } = described
  const { updatedAt, release, spatial, temporal, formats } = described
  return {
    '@id': addressOf(baseUrl, `/v1/datasets/${name}`),
    '@type': 'dcat:Dataset',
    'dct:identifier': name,
    'dct:title': inEnglish(title),
    'dct:description': inEnglish(statement(described)),
    'dct:publisher': publisher === null ? undefined : agent(publisher),
    'dcat:contactPoint': contactPoint(contact),
    'dcat:landingPage': link(sourceUrl),
    'dct:accessRights': { '@id': `${AUTHORITY}/access-right/PUBLIC` },
    'dct:accrualPeriodicity': link(updateFrequency && `${AUTHORITY}/frequency/${updateFrequency}`),
    'dct:modified': updatedAt === null ? undefined : date(updatedAt),
    'dcat:version': release === null ? undefined : String(release),
    'dct:spatial': spatial === null ? undefined : area(spatial.bbox),
    'dct:temporal':
      temporal === null
        ? undefined
        : {
            '@type': 'dct:PeriodOfTime',
            'dcat:startDate': date(temporal.start),
            'dcat:endDate': date(temporal.end),
          },
    'dcat:distribution': formats.map(format => distribution(described, format, baseUrl)),
  }
}

function distribution(
  { title, licence, licenceUrl, attribution }: DatasetDescription,
  { name, mediaType, path }: DatasetDescription['formats'][number],
  baseUrl: string,
): Json {
  const type = mediaType.split(';', 1).join('')
  const named = licence === null ? undefined : { '@type': 'dct:LicenseDocument', 'rdfs:label': licence }
  return {
    '@type': 'dcat:Distribution',
    'dct:title': inEnglish(`${title}: ${name}`),
    'dcat:accessURL': { '@id': addressOf(baseUrl, path) },
    // A type that starts with x- is not registered, so IANA has no address for it.
    'dcat:mediaType': type.includes('/x-')
      ? undefined
      : { '@id': `https://www.iana.org/assignments/media-types/${type}` },
    'dct:license': link(licenceUrl) ?? named,
    'dct:rights':
      attribution === null ? undefined : { '@type': 'dct:RightsStatement', 'rdfs:label': attribution },
  }
}

const inEnglish = (text: string): Json => ({ '@value': text, '@language': 'en' })

const link = (address: string | null): Json | undefined =>
  address === null ? undefined : { '@id': asUri(address) }

const date = (text: string): Json => ({
  '@value': text,
  '@type': text.includes('T') ? 'xsd:dateTime' : 'xsd:date',
})

const agent = (name: string): Json => ({ '@type': 'foaf:Agent', 'foaf:name': name })

function contactPoint(contact: ServiceDescription['contact']): Json | undefined {
  if (contact === null) return undefined
  const { name, email, url } = contact
  return {
    '@type': 'vcard:Kind',
    'vcard:fn': name ?? email ?? url,
    'vcard:hasEmail': link(email === undefined ? null : `mailto:${email}`),
    'vcard:hasURL': link(url ?? null),
  }
}

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
