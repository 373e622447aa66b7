import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { createSpool, type Spool } from './spool.ts'

const TEXTS = Array.from({ length: 500 }, (_, at) => ({ key: `${at % 50}`, text: `${at} Škoda` }))

async function filled(mostCharacters: number, folder?: string): Promise<Spool> {
  const spool = createSpool(mostCharacters, folder)
  for (const { key, text } of TEXTS) spool.add(key, text)
  return spool
}

async function partsOf(spool: Spool): Promise<(readonly string[])[]> {
  const parts = []
  for await (const part of spool.parts()) if (part.length > 0) parts.push(part)
  return parts
}

test('texts that fit in memory come in their order', async () => {
  const spool = await filled(1_000_000)
  assert.deepEqual(await partsOf(spool), [TEXTS.map(({ text }) => text)])
  spool.close()
})

test('beyond that none is lost, those of a key are in one part in their order, and they can be read again', async () => {
  const spool = await filled(500)
  const parts = await partsOf(spool)
  assert.ok(parts.length > 10)
  assert.deepEqual(parts.flat().sort(), TEXTS.map(({ text }) => text).sort())
  for (const key of ['0', '7', '49']) {
    const ofKey = TEXTS.filter(each => each.key === key).map(({ text }) => text)
    const holding = parts.filter(part => part.some(text => ofKey.includes(text)))
    assert.equal(holding.length, 1)
    assert.deepEqual(
      holding[0]?.filter(text => ofKey.includes(text)),
      ofKey,
    )
  }
  assert.deepEqual(await partsOf(spool), parts)
  spool.close()
})

test('a text may be longer than what is written at once', async () => {
  const spool = createSpool(500)
  const long = 'é'.repeat(40_000)
  for (const text of ['before', long, 'after']) spool.add('key', text)
  const parts = await partsOf(spool)
  assert.deepEqual(parts, [['before', long, 'after']])
  spool.close()
})

test('its temporary file has no name while it is open', async t => {
  const folder = await emptyFolder(t)
  const spool = await filled(500, folder)
  assert.deepEqual(await readdir(folder), [])
  spool.close()
})

test('a folder that cannot be written is named', async t => {
  const folder = join(await emptyFolder(t), 'none')
  await assert.rejects(filled(500, folder), { code: 'ENOENT', path: /none/ })
})
