import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

test('the page about accessibility is in the footer, and names the contact for complaints', async t => {
  const contact = { name: 'Data desk', email: 'data@example.org' }
  const { app } = await build(t, ISLAND, { metadata: { title: 'Island data', contact } })
  assert.match((await app.inject('/')).body, /<footer.*<a href="\/accessibility">Accessibility<\/a>/s)
  const { body } = await app.inject('/accessibility')
  assert.match(
    body,
    /<h2>Complain or ask for help<\/h2>.*Data desk <a href="mailto:data@example.org">.*<\/main>/s,
  )
})

test('without a contact the page about accessibility says so', async t => {
  const { app } = await build(t)
  const { statusCode, body } = await app.inject('/accessibility')
  assert.equal(statusCode, 200)
  assert.match(body, /has not published a contact/)
})
