import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigError } from '../config.ts'
import { DATASETS } from './index.ts'
import { readMetadata } from './metadata.ts'
import { datasetLinks, describeOrigin, originOf } from './origin.ts'

const folder = mkdtempSync(join(tmpdir(), 'pds-metadata-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'metadata.json')

function read(content: unknown) {
  writeFileSync(path, JSON.stringify(content))
  return readMetadata(path, DATASETS)
}

describe('a slip in the file is named with its place and what is allowed', () => {
  const address =
    /allowed: an address that starts with http:\/\/ or https:\/\/, without a user and a password$/
  const WRONG: readonly [content: unknown, place: string, reason: RegExp][] = [
    [[], '', /: is \[\]; allowed: an object$/],
    [{ title: '' }, '/title', /is ""; allowed: text of 1 to 100 characters on one line$/],
    [{ title: 'a\u0007b' }, '/title', /allowed: text of 1 to 100/],
    [{ title: 7 }, '/title', /is 7; allowed: text/],
    [{ description: 'a\nb' }, '/description', /allowed: text of 1 to 1000/],
    [{ publisher: null }, '/publisher', /is null; allowed: text of 1 to 200/],
    [{ licence: 'x'.repeat(201) }, '/licence', /allowed: text of 1 to 200/],
    [{ attribution: 'x'.repeat(501) }, '/attribution', /allowed: text of 1 to 500/],
    [{ license: 'CC0' }, '', /has "license", which is unknown; did you mean "licence"\?/],
    [{ licenceUrl: 'javascript:alert(1)' }, '/licenceUrl', address],
    [{ licenceUrl: 'https://me:secret@data.example/' }, '/licenceUrl', address],
    [{ licenceUrl: 'https://' }, '/licenceUrl', address],
    [{ sourceUrl: 'https://data.example/' }, '', /has "sourceUrl", which is unknown/],
    [{ contact: {} }, '/contact', /is \{\}; allowed: an object with name, email or url/],
    [{ contact: 'me' }, '/contact', /is "me"; allowed: an object with name/],
    [{ contact: { email: 'me' } }, '/contact/email', /is "me"; allowed: an email address$/],
    [{ contact: { url: 'mailto:me@data.example' } }, '/contact/url', address],
    [{ contact: { phone: '1' } }, '/contact', /has "phone", which is unknown/],
    [{ updateFrequency: 'monthly' }, '/updateFrequency', /is "monthly"; allowed: CONT, .* MONTHLY, /],
    [{ datasets: [] }, '/datasets', /is \[\]; allowed: an object with the names of datasets$/],
    [
      { datasets: { toilet: {} } },
      '/datasets',
      /has "toilet", .* did you mean "toilets"\? Allowed: vehicles, /,
    ],
    [{ datasets: { toilets: 'ours' } }, '/datasets/toilets', /is "ours"; allowed: an object$/],
    [{ datasets: { toilets: { sourceUrl: 'ftp://a.example' } } }, '/datasets/toilets/sourceUrl', address],
    [
      { datasets: { 'product-recalls': { publsher: 'us' } } },
      '/datasets/product-recalls',
      /did you mean "publisher"\?/,
    ],
  ]
  for (const [content, place, reason] of WRONG)
    test(`${JSON.stringify(content).slice(0, 60)}`, () => {
      assert.throws(
        () => read(content),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.ok(
            error.message.startsWith(`METADATA: ${path}${place === '' ? '' : `, ${place}`}: `),
            error.message,
          )
          assert.match(error.message, reason)
          assert.doesNotMatch(error.message, /\n/)
          return true
        },
      )
    })
})

test('what holds for all is taken where a dataset has nothing of its own', () => {
  const contact = { email: 'data@parish.example' }
  const metadata = read({
    publisher: 'The island',
    licence: 'Licence 1',
    licenceUrl: 'https://island.example/1',
    attribution: 'From the island, Licence 1.',
    contact,
    updateFrequency: 'MONTHLY',
    datasets: {
      toilets: { publisher: 'The parish', sourceUrl: 'https://parish.example/toilets' },
      recycling: { licence: 'Licence 2', contact: { name: 'Depot' }, updateFrequency: 'IRREG' },
    },
  })
  const of = (dataset: string) => originOf(metadata, { dataset, synthetic: false })
  const shared = {
    publisher: 'The island',
    licence: 'Licence 1',
    licenceUrl: 'https://island.example/1',
    attribution: 'From the island, Licence 1.',
    sourceUrl: null,
    contact,
    updateFrequency: 'MONTHLY',
  }
  assert.deepEqual(of('vehicles'), shared)
  // The attribution of another publisher and the address of another licence would be wrong.
  const parish = { publisher: 'The parish', attribution: null, sourceUrl: 'https://parish.example/toilets' }
  assert.deepEqual(of('toilets'), { ...shared, ...parish })
  const depot = {
    licence: 'Licence 2',
    licenceUrl: null,
    attribution: null,
    contact: { name: 'Depot' },
    updateFrequency: 'IRREG',
  }
  assert.deepEqual(of('recycling'), { ...shared, ...depot })
  assert.equal(
    describeOrigin(of('vehicles')),
    'Publisher: The island. Licence: Licence 1 (https://island.example/1).',
  )
})

test('without a file nobody is named, and synthetic data is nobody’s whatever it says', () => {
  const nothing = readMetadata(undefined, DATASETS)
  assert.equal(nothing.title, 'Public Data Service')
  const unstated = originOf(nothing, { dataset: 'toilets', synthetic: false })
  assert.deepEqual(new Set(Object.values(unstated)), new Set([null]))
  assert.equal(describeOrigin(unstated), 'Publisher: not stated. Licence: not stated.')
  const stated = read({ publisher: 'The island', licence: 'Licence 1', attribution: 'From the island.' })
  const invented = originOf(stated, { dataset: 'toilets', synthetic: true })
  assert.deepEqual([invented.licence, invented.attribution], ['CC0-1.0', null])
  assert.match(String(invented.publisher), /^Nobody/)
})

test('links have only what may stand in a header', () => {
  const metadata = read({
    licenceUrl: 'https://island.example/Ä?a="b>"&c',
    datasets: { toilets: { sourceUrl: 'https://ïsland.example/%C3%A9\ud800' } },
  })
  const linksOf = datasetLinks(DATASETS, metadata)
  assert.equal(
    linksOf('toilets', false),
    [
      '<https://island.example/%C3%84?a=%22b%3E%22&c>; rel="license"',
      '<https://%C3%AFsland.example/%C3%A9%EF%BF%BD>; rel="via"',
      '</v1/datasets/toilets>; rel="describedby"',
    ].join(', '),
  )
  assert.equal(
    linksOf('toilets', true),
    '<https://creativecommons.org/publicdomain/zero/1.0/>; rel="license", </v1/datasets/toilets>; rel="describedby"',
  )
  assert.equal(datasetLinks(DATASETS)('toilets', false), '</v1/datasets/toilets>; rel="describedby"')
  assert.equal(linksOf('catalogue', false), undefined)
})
