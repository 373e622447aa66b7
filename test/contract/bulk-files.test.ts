import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { FORMATS, formatsFor } from '../../src/formats/formats.ts'
import { json as jsonFormat } from '../../src/formats/json.ts'
import { emptyFolder } from '../support/folder.ts'
import { ISLAND, TOILETS } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build, publish, type TestApp } from '../support/service.ts'
import { until } from '../support/until.ts'

interface Entry {
  readonly format: string
  readonly path: string
  readonly bytes: number | null
  readonly sha256: string | null
  readonly rows: number
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const manifestOf = async (app: TestApp, dataset: string): Promise<{ release: number; files: Entry[] }> =>
  (await app.inject(`/v1/datasets/${dataset}/files`)).json()

/** A register whose release of this number has that many vehicles more. */
const registerOf = (release: number) =>
  [
    'MAKE,MODEL,COLOUR,FIRST REGISTERED',
    ...Array.from({ length: 5000 + release }, (_, i) => `Ford,MODEL ${i},Blue,0${1 + (i % 9)}/02/2010`),
  ].join('\n')

/** The files of the current release, all of them made. */
async function filesOf(
  app: TestApp,
  dataset: string,
): Promise<(Entry & { bytes: number; sha256: string })[]> {
  const { files } = await manifestOf(app, dataset)
  for (const { path } of files)
    assert.equal((await app.inject({ url: path, method: 'HEAD' })).statusCode, 200)
  return (await manifestOf(app, dataset)).files.map(({ bytes, sha256, ...file }) => ({
    ...file,
    bytes: bytes ?? assert.fail(file.path),
    sha256: sha256 ?? assert.fail(file.path),
  }))
}

const serve = (t: TestContext, content: Parameters<typeof build>[1] = ISLAND, filesFolder?: string) =>
  build(t, content, { filesFolder, environment: { VEHICLES_RATE_LIMIT: '1' } })

const pathOf = async (app: TestApp, dataset: string, format: string): Promise<string> =>
  (await manifestOf(app, dataset)).files.find(file => file.format === format)?.path ?? assert.fail(format)

const untilServed = (app: TestApp, release: number) =>
  until(async () => (await manifestOf(app, 'vehicles')).release === release, `release ${release}`)

/** A response over a socket; `most` bytes of it, after which the connection is cut. */
function download(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  most = Number.POSITIVE_INFINITY,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = get({ port, path, headers, host: '127.0.0.1', agent: false }, response => {
      const chunks: Buffer[] = []
      let length = 0
      const end = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length < most) return
        sent.destroy()
        end()
      })
      response.on('end', end)
    })
    sent.on('error', reject)
  })
}

test('every dataset has a file in each format, of the size and hash that the manifest tells', async t => {
  const { app } = await serve(t)
  for (const [dataset, records] of Object.entries(ISLAND)) {
    const files = await filesOf(app, dataset)
    const { record } = DATASETS.find(({ name }) => name === dataset) ?? assert.fail(dataset)
    assert.deepEqual(
      files.map(({ format }) => format),
      formatsFor(FORMATS, record).map(({ name }) => name),
    )
    for (const { format, path, bytes, sha256: told, rows } of files) {
      const { statusCode, headers, rawPayload } = await app.inject(path)
      assert.equal(statusCode, 200)
      assert.deepEqual([rawPayload.length, sha256(rawPayload)], [bytes, told])
      assert.equal(headers['content-length'], String(bytes))
      assert.equal(headers['content-disposition'], `attachment; filename="${dataset}-1.${format}"`)
      assert.equal(
        headers['repr-digest'],
        `sha-256=:${createHash('sha256').update(rawPayload).digest('base64')}:`,
      )
      if (format === jsonFormat.name) assert.equal(JSON.parse(String(rawPayload)).results.length, rows)
      if (Array.isArray(records)) assert.equal(rows, records.length)
    }
  }
})

test('a download that was cut is resumed to the same bytes; a stale part gets the whole file', async t => {
  const { app } = await serve(t, { vehicles: registerOf(1) })
  const port = await listen(app)
  const file = (await filesOf(app, 'vehicles')).find(({ format }) => format === 'json') ?? assert.fail()
  const first = await download(port, file.path, {}, 300_000)
  const { etag = '' } = first.headers
  assert.ok(first.body.length < Number(file.bytes))
  const resumed = { range: `bytes=${first.body.length}-`, 'if-range': etag }
  const rest = await download(port, file.path, resumed)
  assert.equal(rest.status, 206)
  assert.equal(
    rest.headers['content-range'],
    `bytes ${first.body.length}-${Number(file.bytes) - 1}/${file.bytes}`,
  )
  assert.equal(sha256(Buffer.concat([first.body, rest.body])), file.sha256)
  const other = await download(port, file.path, { ...resumed, 'if-range': '"other"' })
  assert.deepEqual([other.status, sha256(other.body)], [200, file.sha256])
  const tail = await download(port, file.path, { range: 'bytes=-10' })
  assert.deepEqual([tail.status, tail.body.length], [206, 10])
})

test('HEAD tells the length and ignores ranges; a current copy is 304; a range behind the end is 416', async t => {
  const { app } = await serve(t, { toilets: TOILETS })
  const [{ path = '', bytes } = {}] = await filesOf(app, 'toilets')
  const head = await app.inject({ url: path, method: 'HEAD', headers: { range: 'bytes=0-1' } })
  assert.deepEqual([head.statusCode, head.body], [200, ''])
  assert.deepEqual([head.headers['content-length'], head.headers['accept-ranges']], [String(bytes), 'bytes'])
  const headers = { 'if-none-match': String(head.headers.etag), range: 'bytes=0-1' }
  assert.equal((await app.inject({ url: path, headers })).statusCode, 304)
  const wrong = await app.inject({ url: path, headers: { range: `bytes=${bytes}-` } })
  assert.deepEqual([wrong.statusCode, wrong.json().code], [416, 'RANGE_NOT_SATISFIABLE'])
  assert.equal(wrong.headers['content-range'], `bytes */${bytes}`)
})

test('a file is made at its first request, which gets it while it is written; later ones get the same bytes', async t => {
  const { app } = await serve(t, { vehicles: registerOf(1) })
  const port = await listen(app)
  const { files } = await manifestOf(app, 'vehicles')
  assert.ok(files.every(({ bytes, sha256 }) => bytes === null && sha256 === null))
  const path = await pathOf(app, 'vehicles', 'csv')
  const [first, meanwhile] = await Promise.all([download(port, path), download(port, path)])
  assert.equal(first.headers['content-length'], undefined)
  const later = await download(port, path)
  assert.equal(later.headers['content-length'], String(first.body.length))
  assert.deepEqual(
    [meanwhile, later].map(({ status, body, headers }) => [status, sha256(body), headers.etag]),
    [1, 2].map(() => [200, sha256(first.body), first.headers.etag]),
  )
  const made = (await manifestOf(app, 'vehicles')).files.filter(file => file.bytes !== null)
  assert.deepEqual(
    made.map(file => [file.format, file.bytes, file.sha256]),
    [['csv', first.body.length, sha256(first.body)]],
  )
})

test('a range of a file that is not made waits until it is whole', async t => {
  const { app } = await serve(t, { vehicles: registerOf(1) })
  const url = await pathOf(app, 'vehicles', 'csv')
  const part = await app.inject({ url, headers: { range: 'bytes=-10' } })
  assert.equal(part.statusCode, 206)
  assert.equal(part.body, (await app.inject(url)).body.slice(-10))
})

test('a reader that goes does not end the making for the others', async t => {
  const { app } = await serve(t, { vehicles: registerOf(1) })
  const port = await listen(app)
  const path = await pathOf(app, 'vehicles', 'json')
  const [cut, whole] = await Promise.all([download(port, path, {}, 10_000), download(port, path)])
  const rest = await download(port, path, {
    range: `bytes=${cut.body.length}-`,
    'if-range': String(cut.headers.etag),
  })
  assert.equal(rest.status, 206)
  assert.equal(sha256(Buffer.concat([cut.body, rest.body])), sha256(whole.body))
})

test('a folder that takes no files: the answer is 503, the log has the reason, and the next request tries again', async t => {
  const folder = await emptyFolder(t)
  const { app } = await serve(t, { toilets: TOILETS }, join(folder, 'file', 'in-it'))
  await writeFile(join(folder, 'file'), '')
  const url = await pathOf(app, 'toilets', 'csv')
  const refused = await app.inject(url)
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '60'])
  await rm(join(folder, 'file'))
  assert.equal((await app.inject(url)).statusCode, 200)
})

test('what does not exist is 404, with what does', async t => {
  const { app } = await serve(t, { toilets: TOILETS })
  await filesOf(app, 'toilets')
  const file = (await app.inject('/v1/datasets/toilets/files/1.xlsx')).json()
  assert.equal(file.status, 404)
  assert.equal(file.errors[0].allowed, `one of ${FORMATS.map(({ name }) => `1.${name}`).join(', ')}`)
  const dataset = (await app.inject('/v1/datasets/toilet/files')).json()
  assert.deepEqual([dataset.status, dataset.errors[0].nearest], [404, 'toilets'])
})

test('a release that is superseded while its file is read is read to the end, and goes with the next but one', async t => {
  const { app, store } = await serve(t, { vehicles: registerOf(1) })
  const port = await listen(app)
  const file = (await filesOf(app, 'vehicles')).find(({ format }) => format === 'json') ?? assert.fail()
  const chunks: Buffer[] = []
  const slow = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ port, path: file.path, host: '127.0.0.1', agent: false }, resolve)
    sent.on('error', reject)
    sent.end()
  })
  await publish(store, 'vehicles', registerOf(2))
  await untilServed(app, 2)
  assert.equal((await app.inject({ url: file.path, method: 'HEAD' })).statusCode, 200)
  await publish(store, 'vehicles', registerOf(3))
  await untilServed(app, 3)
  assert.equal((await app.inject({ url: file.path, method: 'HEAD' })).statusCode, 404)
  for await (const chunk of slow) chunks.push(chunk)
  assert.equal(sha256(Buffer.concat(chunks)), file.sha256)
})

test('files are outside the rate limit', async t => {
  const { app } = await serve(t)
  const [{ path = '' } = {}] = await filesOf(app, 'vehicles')
  for (let time = 0; time < 3; time++) assert.equal((await app.inject(path)).statusCode, 200)
})
