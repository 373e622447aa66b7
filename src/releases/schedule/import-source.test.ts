import assert from 'node:assert/strict'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { TOILETS } from '../../../test/support/island.ts'
import {
  answers,
  answersConditionally,
  type Behaviour,
  pausesHalfway,
  startUpstream,
} from '../../../test/support/misbehaving-upstream.ts'
import { publish, temporaryStore } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { toilets } from '../../datasets/toilets/index.ts'
import type { Store } from '../../store/store.ts'
import { importDataset } from '../import/import.ts'
import { importSource, type SourceImport } from './import-source.ts'

const BODY = JSON.stringify({ results: TOILETS })

async function setUp(t: TestContext, behaviour: Behaviour) {
  const folder = await emptyFolder(t)
  const store = await temporaryStore(t, `sqlite:${folder}`)
  const server = await startUpstream(behaviour)
  t.after(() => server.close())
  let writing = 0
  const releases: Store['releases'] = {
    ...store.releases,
    stage(...options) {
      writing++
      return store.releases.stage(...options)
    },
  }
  const follow = (validators = {}, more: Partial<SourceImport['options']> = {}) =>
    importSource(
      {
        address: server.url,
        fetch: { allowPrivate: true },
        options: { store: { ...store, releases }, dataset: toilets, ...more },
      },
      { validators, hash: null },
    )
  return { folder, store, server, follow, isWriting: () => writing > 0 }
}

test('while an address still sends, an import of the same dataset publishes', async t => {
  const { behaviour, goOn } = pausesHalfway(BODY)
  const { store, server, follow, isWriting } = await setUp(t, behaviour)
  const following = follow()
  await until(() => server.requests.length === 1, 'the request')
  await publish(store, 'toilets', TOILETS.slice(1))
  assert.equal(isWriting(), false)
  goOn()
  const followed = await following
  assert.equal(followed.outcome === 'published' && followed.release, 2)
})

test('where the current release is damaged, an unchanged source is fetched and published again', async t => {
  const { folder, store, server, follow } = await setUp(t, answersConditionally(BODY, '"one"'))
  await follow()
  const validators = { etag: '"one"' }
  assert.equal((await follow(validators)).outcome, 'not changed')
  const damaged = await store.releases.current('toilets')
  await truncate(join(folder, 'releases/toilets/1.ndjson.gz'), 100)
  assert.equal((await follow(validators)).outcome, 'published')
  const [, conditional, whole] = server.requests
  assert.deepEqual([conditional?.['if-none-match'], whole?.['if-none-match']], ['"one"', undefined])
  const repaired = await store.releases.current('toilets')
  assert.deepEqual([repaired?.number, repaired?.hash], [2, damaged?.hash])
  assert.equal((await follow(validators)).outcome, 'not changed')
})

/** Answers with the second page at /2, else with the first page: conditionally, and always with a link to the second. */
const pages =
  (second: () => object): Behaviour =>
  (request, response) => {
    if (request.url === '/2') return response.end(JSON.stringify({ results: [second()] }))
    response.setHeader('link', '</2>; rel="next"')
    return answersConditionally(JSON.stringify({ results: TOILETS.slice(0, 1) }), '"one"')(request, response)
  }

test('a source in pages is read whole each time, though its first page has not changed', async t => {
  let buildDate = 1990
  const second = () => ({
    ...TOILETS[0],
    id: '7a0f3a52-9c2e-4b7c-9d3c-6f0a3d2b1c99',
    name: 'Hall',
    buildDate,
  })
  const { store, server, follow } = await setUp(t, pages(second))
  const first = await follow()
  assert.deepEqual(first.outcome === 'published' && [first.release, first.validators], [1, {}])
  assert.equal((await store.releases.current('toilets'))?.rows, 2)
  const same = await follow()
  assert.deepEqual(same.outcome === 'not changed' && same.validators, {})
  buildDate = 1991
  assert.equal((await follow()).outcome, 'published')
  // The kept validators are from a time when the source had one page.
  buildDate = 1992
  assert.equal((await follow({ etag: '"one"' })).outcome, 'published')
  assert.equal(server.requests.filter(request => request['if-none-match'] === '"one"').length, 1)
})

test('a page that the operator published is not refused when the source has not changed since', async t => {
  const page = JSON.stringify({ total_count: 917, results: TOILETS })
  const { store, follow } = await setUp(t, (_, response) => response.end(page))
  const refused = await follow()
  assert.equal(
    refused.outcome === 'refused' && refused.reason,
    `incomplete-source: the source holds ${TOILETS.length} of 917 records (total_count); fetch all pages into one list; ` +
      'if that is right, use --accept incomplete-source, or --force for all checks',
  )
  assert.equal(await store.releases.current('toilets'), undefined)
  const accepted = await importDataset({
    store,
    dataset: toilets,
    source: 'page',
    input: Readable.from([Buffer.from(page)]),
    accept: ['incomplete-source'],
  })
  assert.equal(accepted.outcome, 'published')
  assert.equal((await follow()).outcome, 'not changed')
})

test('the encoding that the server declares is used', async t => {
  const body = Buffer.from('name,parish,latitude,longitude\nCafé,Trinity,49.2,-2.1\n', 'latin1')
  const { store, follow } = await setUp(t, answers(body, { 'content-type': 'text/csv; charset=ISO-8859-1' }))
  assert.equal((await follow()).outcome, 'published')
  const release = (await store.releases.current('toilets')) ?? assert.fail()
  const open = await store.releases.open(release, toilets.layout)
  for await (const { name } of open.records()) assert.equal(name, 'Café')
})

test('a correction is published until its day has passed, though the source has not changed', async t => {
  const { store, server, follow } = await setUp(t, answersConditionally(BODY, '"one"'))
  const [given = assert.fail()] = TOILETS
  const { id } = given
  const corrections = [{ id, field: 'name', value: 'Corrected', until: '2026-06-30', why: 'Seen' }]
  const at = (time: string) => ({ corrections, now: () => new Date(time) })
  const names = async () => {
    const release = (await store.releases.current('toilets')) ?? assert.fail()
    const records = (await store.releases.open(release, toilets.layout)).records()
    const found: string[] = []
    for await (const record of records) if (record.id === id) found.push(String(record.name))
    return { found, corrected: release.corrected }
  }
  await follow({}, at('2026-06-30T12:00:00Z'))
  const corrected = [{ id, name: given.name, field: 'name', until: '2026-06-30', why: 'Seen' }]
  assert.deepEqual(await names(), { found: ['Corrected'], corrected })
  const validators = { etag: '"one"' }
  // By the clock of the island it is still the thirtieth.
  assert.equal((await follow(validators, at('2026-06-30T22:59:00Z'))).outcome, 'not changed')
  assert.equal((await follow(validators, at('2026-06-30T23:01:00Z'))).outcome, 'published')
  assert.deepEqual(await names(), { found: [given.name], corrected: undefined })
  const conditional = server.requests.map(request => request['if-none-match'])
  assert.deepEqual(conditional, [undefined, '"one"', undefined])
})
