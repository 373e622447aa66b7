import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsonld from 'jsonld'
import { DATASETS } from '../../src/datasets/index.ts'
import type { Metadata } from '../../src/datasets/metadata.ts'
import { csv } from '../../src/formats/csv.ts'
import { ndjson } from '../../src/formats/ndjson.ts'
import { ISLAND } from '../support/island.ts'
import { build, type TestApp } from '../support/service.ts'

/*
 * The catalogue as a JSON-LD processor reads it: what DCAT-AP 3 makes mandatory or recommends, and what search engines ask of
 * a Dataset. Needs no network: DCAT-AP has its context in the document, and that of schema.org stands here.
 */

const METADATA: Metadata = {
  title: 'Island data',
  description: 'All of it.',
  publisher: 'The island',
  licence: 'Licence 1',
  licenceUrl: 'https://island.example/Ä "1"',
  attribution: 'From the island.',
  contact: { name: 'Desk', email: 'data@island.example', url: 'https://island.example/desk' },
  updateFrequency: 'MONTHLY',
  datasets: {
    toilets: { sourceUrl: 'https://island.example/toilets' },
    recycling: { licence: 'Licence 2', publisher: 'The depot' },
  },
}

const SCHEMA_ORG = { '@context': { '@vocab': 'http://schema.org/' } }

async function documentLoader(url: string) {
  if (url !== 'https://schema.org/') throw new Error(`${url} would be fetched`)
  return { documentUrl: url, document: SCHEMA_ORG }
}

/** Nothing may be left out for want of a meaning. */
const STRICTLY = { documentLoader, safe: true }

type Node = Readonly<Record<string, readonly Value[]>>
interface Value {
  readonly '@id'?: string
  readonly '@value'?: unknown
  readonly '@type'?: string | readonly string[]
}

/** The nodes of a document, with each term written out. */
async function nodesAt(app: TestApp, url: string): Promise<Node[]> {
  const { statusCode, headers, body } = await app.inject(url)
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/ld+json'])
  const document = JSON.parse(body)
  const expanded = await jsonld.expand(document, STRICTLY)
  return expanded as unknown as Node[]
}

const NAMESPACES: Readonly<Record<string, string>> = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  schema: 'http://schema.org/',
}

const iri = (term: string) => {
  const [prefix = '', name = ''] = term.split(':')
  return `${NAMESPACES[prefix]}${name}`
}

/** The values of a property: texts, addresses or nodes. */
const all = (node: Node, term: string) => node[iri(term)] ?? []
const one = (node: Node, term: string) => {
  const [value, ...others] = all(node, term)
  assert.ok(value !== undefined && others.length === 0, `one ${term}: ${JSON.stringify(node)}`)
  return value
}
const nodeOf = (value: Value) => value as unknown as Node
const typeOf = (node: Node) => (node as { '@type'?: readonly string[] })['@type']
const AUTHORITY = 'http://publications.europa.eu/resource/authority'

test('the catalogue has what DCAT-AP makes mandatory, of every dataset', async t => {
  const { app } = await build(t, ISLAND, { metadata: METADATA, formats: [csv, ndjson] })
  const [catalogue = assert.fail()] = await nodesAt(app, '/v1/datasets.jsonld')
  assert.deepEqual(typeOf(catalogue), [iri('dcat:Catalog')])
  assert.equal(one(catalogue, 'dct:title')['@value'], 'Island data')
  assert.equal(one(catalogue, 'dct:description')['@value'], 'All of it.')
  assert.equal(one(nodeOf(one(catalogue, 'dct:publisher')), 'foaf:name')['@value'], 'The island')
  const datasets = all(catalogue, 'dcat:dataset').map(nodeOf)
  assert.equal(datasets.length, DATASETS.length)
  for (const [index, dataset] of datasets.entries()) {
    const { name, title, description } = DATASETS[index] ?? assert.fail()
    assert.equal((dataset as Value)['@id'], `http://data.example/v1/datasets/${name}`)
    assert.deepEqual(typeOf(dataset), [iri('dcat:Dataset')])
    assert.equal(one(dataset, 'dct:title')['@value'], title)
    assert.equal(one(dataset, 'dct:description')['@value'], description)
    assert.equal(one(dataset, 'dct:accrualPeriodicity')['@id'], `${AUTHORITY}/frequency/MONTHLY`)
    assert.equal(all(dataset, 'dcat:distribution').length, 3)
    for (const each of all(dataset, 'dcat:distribution').map(nodeOf)) {
      assert.deepEqual(typeOf(each), [iri('dcat:Distribution')])
      const address = one(each, 'dcat:accessURL')['@id'] ?? ''
      assert.equal((await app.inject(address)).statusCode, 200, address)
    }
    const [alone] = await nodesAt(app, `/v1/datasets/${name}.jsonld`)
    assert.deepEqual(alone, dataset, 'by itself it says the same')
  }
})

test('a dataset has what DCAT-AP recommends, in the types that it asks for', async t => {
  const { app } = await build(t, ISLAND, { metadata: METADATA, formats: [csv, ndjson] })
  const dataset = async (name: string) =>
    (await nodesAt(app, `/v1/datasets/${name}.jsonld`))[0] ?? assert.fail()
  const toilets = await dataset('toilets')
  const contact = nodeOf(one(toilets, 'dcat:contactPoint'))
  assert.deepEqual(
    [one(contact, 'vcard:fn')['@value'], one(contact, 'vcard:hasEmail')['@id']],
    ['Desk', 'mailto:data@island.example'],
  )
  assert.equal(one(toilets, 'dcat:landingPage')['@id'], 'https://island.example/toilets')
  assert.equal(one(toilets, 'dct:modified')['@type'], iri('xsd:dateTime'))
  assert.deepEqual(one(nodeOf(one(toilets, 'dct:spatial')), 'dcat:bbox'), {
    '@type': 'http://www.opengis.net/ont/geosparql#wktLiteral',
    '@value': 'POLYGON((-2.1 49.18, -2.1 49.18, -2.1 49.18, -2.1 49.18, -2.1 49.18))',
  })
  assert.deepEqual(all(toilets, 'dct:temporal'), [])
  const distributions = all(toilets, 'dcat:distribution').map(nodeOf)
  assert.deepEqual(
    distributions.map(each => all(each, 'dcat:mediaType')[0]?.['@id']),
    [
      ...['application/json', 'text/csv'].map(type => `https://www.iana.org/assignments/media-types/${type}`),
      undefined,
    ],
    'IANA has no address of a type that is not registered',
  )
  for (const each of distributions)
    assert.equal(one(each, 'dct:license')['@id'], 'https://island.example/%C3%84%20%221%22')

  const period = nodeOf(one(await dataset('vehicles'), 'dct:temporal'))
  assert.deepEqual(
    [one(period, 'dcat:startDate'), one(period, 'dcat:endDate')],
    ['1991-06-05', '2024-01-01'].map(day => ({ '@type': iri('xsd:date'), '@value': day })),
  )
  const recalls = nodeOf(one(await dataset('product-recalls'), 'dct:temporal'))
  assert.equal(one(recalls, 'dcat:startDate')['@type'], iri('xsd:dateTime'))

  const recycling = await dataset('recycling')
  assert.equal(one(nodeOf(one(recycling, 'dct:publisher')), 'foaf:name')['@value'], 'The depot')
  const [distribution = assert.fail()] = all(recycling, 'dcat:distribution').map(nodeOf)
  const licence = one(distribution, 'dct:license')
  assert.deepEqual([licence['@id'], licence['@type']], [undefined, [iri('dct:LicenseDocument')]])
})

test('a dataset by schema.org has what search engines ask of it', async t => {
  const { app } = await build(t, ISLAND, { metadata: METADATA, formats: [csv] })
  const [catalogue = assert.fail()] = await nodesAt(app, '/v1/datasets.jsonld?profile=schema.org')
  assert.deepEqual(typeOf(catalogue), [iri('schema:DataCatalog')])
  assert.equal(all(catalogue, 'schema:dataset').length, DATASETS.length)
  for (const { name, title } of DATASETS) {
    const [dataset = assert.fail()] = await nodesAt(app, `/v1/datasets/${name}.jsonld?profile=schema.org`)
    assert.deepEqual(typeOf(dataset), [iri('schema:Dataset')])
    assert.equal(one(dataset, 'schema:name')['@value'], title)
    const { length } = String(one(dataset, 'schema:description')['@value'])
    // That it has 50 is asked in `additions.test.ts`.
    assert.ok(length <= 5000, `${name}: a description of ${length} characters`)
    for (const recommended of ['creator', 'identifier', 'isAccessibleForFree', 'spatialCoverage', 'version'])
      one(dataset, `schema:${recommended}`)
    assert.equal(
      one(nodeOf(one(dataset, 'schema:includedInDataCatalog')), 'schema:name')['@value'],
      'Island data',
    )
    const distributions = all(dataset, 'schema:distribution').map(nodeOf)
    assert.deepEqual(
      distributions.map(each => one(each, 'schema:encodingFormat')['@value']),
      ['application/json', 'text/csv'],
    )
  }
  const { body } = await app.inject('/v1/datasets/vehicles.jsonld?profile=schema.org')
  const { license, temporalCoverage, variableMeasured } = JSON.parse(body)
  assert.deepEqual(
    [license, temporalCoverage],
    ['https://island.example/%C3%84%20%221%22', '1991-06-05/2024-01-01'],
  )
  const weight = variableMeasured.find((each: { name: string }) => each.name === 'weight')
  assert.equal(weight.unitText, 'kg')
})

test('where nothing is stated or published, what is mandatory is still there', async t => {
  const { app } = await build(t)
  const [catalogue = assert.fail()] = await nodesAt(app, '/v1/datasets.jsonld')
  assert.equal(one(nodeOf(one(catalogue, 'dct:publisher')), 'foaf:name')['@value'], 'Public Data Service')
  assert.notEqual(one(catalogue, 'dct:description')['@value'], '')
  for (const dataset of all(catalogue, 'dcat:dataset').map(nodeOf)) {
    one(dataset, 'dct:title')
    one(dataset, 'dct:description')
    assert.deepEqual(
      ['dct:publisher', 'dct:accrualPeriodicity', 'dct:spatial', 'dct:modified'].map(term =>
        all(dataset, term),
      ),
      [[], [], [], []],
    )
  }
})

test('Accept selects JSON-LD, and other types are refused with those that there are', async t => {
  const { app } = await build(t)
  for (const url of ['/v1/datasets', '/v1/datasets/toilets']) {
    const accepting = async (accept: string) => app.inject({ url, headers: { accept } })
    const linked = await accepting('application/ld+json, application/json;q=0.5')
    assert.equal(linked.headers['content-type'], 'application/ld+json')
    assert.match(String(linked.headers.vary), /Accept\b/)
    assert.match(String((await accepting('*/*')).headers['content-type']), /^application\/json/)
    const refused = await accepting('text/turtle')
    assert.equal(refused.statusCode, 406)
    assert.match(refused.json().detail, /json \(application\/json\) or jsonld \(application\/ld\+json\)/)
  }
})
