import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

/** Width and height of a PNG, from its header (PNG 11.2.1). */
const sizeOf = (png: Buffer) => {
  assert.equal(png.toString('latin1', 1, 4), 'PNG')
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}

test('devices can install the service under its title, with icons of each size', async t => {
  const metadata = { title: 'Data of the Island', description: 'Open data.' }
  const { app } = await build(t, ISLAND, { metadata })
  const { headers, body } = await app.inject('/manifest.webmanifest')
  assert.equal(headers['content-type'], 'application/manifest+json')
  const manifest = JSON.parse(body)
  assert.deepEqual(
    [manifest.name, manifest.description, manifest.start_url, manifest.display],
    ['Data of the Island', 'Open data.', '/', 'standalone'],
  )
  const pngs = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
  for (const { src, sizes } of pngs) {
    const icon = await app.inject(src)
    assert.equal(icon.headers['content-type'], 'image/png')
    assert.equal(sizeOf(icon.rawPayload), sizes)
  }
  const kinds = pngs.map(({ sizes, purpose }: { sizes: string; purpose: string }) => `${sizes} ${purpose}`)
  assert.deepEqual(kinds, ['192x192 any', '512x512 any', '512x512 maskable'])
  const page = await app.inject('/')
  assert.match(page.body, /<link rel="manifest" href="\/manifest.webmanifest"/)
  assert.equal(sizeOf((await app.inject('/apple-touch-icon.png')).rawPayload), '180x180')
})

test('the service worker is asked for anew, and may ask this service alone', async t => {
  const { app } = await build(t, ISLAND)
  const { statusCode, headers } = await app.inject('/service-worker.js')
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/javascript/)
  assert.match(String(headers['cache-control']), /max-age=0\b/)
  assert.match(String(headers['content-security-policy']), /connect-src 'self';/)
})
