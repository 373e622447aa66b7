import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { temporaryStore } from '../../../../test/support/service.ts'
import { recycling } from '../../../datasets/recycling/index.ts'
import type { Store } from '../../../store/store.ts'
import { importDataset } from '../import.ts'

const CENTRE = {
  location: 'Parish Hall',
  parish: 'Grouville',
  latitude: 49.19,
  longitude: -2.04,
  services: ['GLASS'],
}
const NAME = 'incomplete-source'

const load = (store: Store, content: string, options: { accept?: string[]; dryRun?: boolean } = {}) =>
  importDataset({
    store,
    dataset: recycling,
    source: 'centres',
    ...options,
    input: Readable.from([Buffer.from(content)]),
  })

/** Documents whose list has one record; the members come before it or after it. */
const FORMS: readonly ((members: object) => string)[] = [
  members => JSON.stringify({ ...members, results: [CENTRE] }),
  members => JSON.stringify({ results: [CENTRE], ...members }, null, 1),
  members => {
    const features = [{ type: 'Feature', geometry: null, properties: CENTRE }]
    return JSON.stringify({ type: 'FeatureCollection', features, ...members })
  },
]
const documentWith = (members: object, at: number) => FORMS[at % FORMS.length]?.(members) ?? ''

const ofRecords = (member: string) => `the source holds 1 of 18 records (${member})`
const ofPages = (member: string) => `the source holds 1 of 18 pages (${member})`
const follow = (member: string) => `more records follow the 1 in the source (${member})`

const PAGES: readonly (readonly [members: object, finding: string])[] = [
  [{ pagination: { page: 1, limit: 1, totalPages: 18, totalItems: 18 } }, ofRecords('pagination.totalItems')],
  [{ pagination: { totalPages: 18 } }, ofPages('pagination.totalPages')],
  [{ totalPages: '18' }, ofPages('totalPages')],
  [{ count: 18, next: null, previous: null }, ofRecords('count')],
  [{ count: 1, next: 'http://data.example/2' }, follow('next')],
  [{ total_count: 18 }, ofRecords('total_count')],
  [{ total: '18' }, ofRecords('total')],
  [{ meta: { total: 18 } }, ofRecords('meta.total')],
  [{ numberMatched: 18, numberReturned: 1 }, ofRecords('numberMatched')],
  [{ '@odata.count': 18 }, ofRecords('@odata.count')],
  [{ exceededTransferLimit: true }, follow('exceededTransferLimit')],
  [{ properties: { exceededTransferLimit: true } }, follow('properties.exceededTransferLimit')],
  [{ pagination: { nextCursor: 'abc' } }, follow('pagination.nextCursor')],
  [{ links: [{ rel: 'next', href: '/2' }] }, follow('links')],
  [{ links: { next: '/2' } }, follow('links.next')],
  [{ _links: { next: { href: '/2' } } }, follow('_links.next')],
  [{ '@odata.nextLink': '/2' }, follow('@odata.nextLink')],
]

test('a document that says there is more is refused', async t => {
  const store = await temporaryStore(t)
  for (const [at, [members, finding]] of PAGES.entries()) {
    const document = documentWith(members, at)
    const { outcome, reason } = await load(store, document)
    assert.equal(outcome, 'refused', document)
    assert.equal(
      reason,
      `${NAME}: ${finding}; fetch all pages into one list; if that is right, use --accept ${NAME}, or --force for all checks`,
    )
  }
  assert.equal(await store.releases.current('recycling'), undefined)
})

test('it is published if that is accepted, and its members may come in any order', async t => {
  const store = await temporaryStore(t)
  for (const at of FORMS.keys()) {
    const document = documentWith({ count: 18 }, at)
    assert.equal((await load(store, document, { dryRun: true })).outcome, 'refused', document)
    const accepted = await load(store, document, { dryRun: true, accept: [NAME] })
    assert.equal(accepted.checks.find(({ name }) => name === NAME)?.outcome, 'accepted')
  }
  const { outcome } = await load(store, documentWith({ count: 18 }, 0), { accept: [NAME] })
  assert.equal(outcome, 'published')
})

const WHOLE: readonly object[] = [
  { pagination: { page: 1, limit: 50, totalPages: 1, totalItems: 1 } },
  { count: 1, next: null },
  { count: 0 },
  { total: '1' },
  { total: 'many' },
  { total: -18 },
  { total: 1.5 },
  { count: { records: 18 } },
  { count: [18] },
  { total_count: null },
  { numberMatched: 'unknown', numberReturned: 1 },
  { exceededTransferLimit: false },
  { has_more: 'false' },
  { next: '' },
  { next: false },
  { links: [{ rel: 'self', href: '/1' }, null, 'next'] },
  { links: { next: null } },
  { pagination: { nextCursor: null, total: 1 } },
  // Somebody has joined the pages and kept the members of the first page.
  { pagination: { totalPages: 18, totalItems: 1 }, next: '/2' },
  { limit: 18, offset: 18, page: 18, size: 18 },
]

test('a document that holds all that it says is published, whatever else it says', async t => {
  const store = await temporaryStore(t)
  for (const [at, members] of WHOLE.entries()) {
    const document = documentWith(members, at)
    const { outcome, reason } = await load(store, document, { dryRun: true })
    assert.equal(outcome, 'dry run', `${document}: ${reason}`)
  }
  const record = JSON.stringify({ ...CENTRE, count: 18, next: '/2' })
  for (const content of [
    `[${record}]`,
    `${record}\n`,
    `location,parish,latitude,longitude,services,count\nHall,Grouville,49.19,-2.04,GLASS,18\n`,
  ])
    assert.equal((await load(store, content, { dryRun: true })).outcome, 'dry run', content)
})

test('rejected and repeated records count as held', async t => {
  const store = await temporaryStore(t)
  const results = [CENTRE, CENTRE, { ...CENTRE, location: 'Port' }]
  assert.equal(
    (await load(store, JSON.stringify({ count: 3, results }), { dryRun: true })).outcome,
    'dry run',
  )
})
