import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import type { Dataset } from '../../src/datasets/dataset.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyFolder } from '../support/folder.ts'
import { CARPARKS, DEFIBRILLATORS, ISLAND, RECALLS, VEHICLES } from '../support/island.ts'
import { installedProgram } from '../support/programs.ts'
import { build } from '../support/service.ts'
import { allRecords } from '../support/stored-vehicles.ts'

/*
 * LibreOffice opens the CSV of each dataset as docs/reference/formats.md says, and saves it as a workbook of Excel. An import of
 * the workbook then finds the same records, so neither has changed anything.
 */

const SOFFICE = installedProgram('soffice')
const NO_SOFFICE =
  SOFFICE === undefined && 'LibreOffice is not installed: apt-get install libreoffice-calc-nogui'

/** Comma, quote, UTF-8, from line 1 on, no formats of columns, the language of the user, quoted fields are text. */
const AS_DOCUMENTED = 'CSV:44,34,76,1,,0,true'

const execute = promisify(execFile)

/** What spreadsheets change where they take text for numbers, dates, flags or formulas, or read another encoding. */
const TEXTS = [
  '0012',
  '1-2',
  '=1+1',
  '1E5',
  'Müller, Émile',
  '31/12',
  'TRUE',
  '"Œuvre" 名 😀',
  "'quoted'",
  '10%',
]

const PUBLISHED = {
  ...ISLAND,
  vehicles: `${VEHICLES}${TEXTS.map(text => `"${text.replaceAll('"', '""')}","${text.replaceAll('"', '""')}",Blue,,,,Petrol,,\n`).join('')}`,
  carparks: [
    ...CARPARKS,
    {
      ...CARPARKS[0],
      id: '0b7a4ad6-51bb-4f37-8f0f-2f9d4c6f7a09',
      name: 'Müller',
      payByPhoneCode: '0012',
      liveTrackingCode: '1E5',
    },
  ],
  defibrillators: TEXTS.map((text, index) => ({
    ...DEFIBRILLATORS[0],
    id: `2f1e0d9c-8b7a-4695-8473-62514039281${index}`,
    location: text,
    notes: text,
  })),
  'product-recalls': TEXTS.map((text, id) => ({
    ...RECALLS[0],
    id,
    title: text,
    batchCodes: `0012, ${text}`,
  })),
}

test('codes and accents survive LibreOffice, with and without a byte order mark', {
  skip: NO_SOFFICE,
}, async t => {
  const folder = await emptyFolder(t)
  const { app, store } = await build(t, PUBLISHED)

  async function convert(to: string, files: readonly string[]): Promise<void> {
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`
    const words = [
      profile,
      '--headless',
      `--infilter=${AS_DOCUMENTED}`,
      '--convert-to',
      to,
      '--outdir',
      folder,
    ]
    await execute(SOFFICE as string, [...words, ...files], { cwd: folder, timeout: 60_000 })
  }

  const names = new Map<string, string>()
  for (const { name, path } of DATASETS)
    for (const mark of ['', '?bom=1']) {
      const file = `${name}${mark === '' ? '' : '-bom'}`
      names.set(file, name)
      await writeFile(join(folder, `${file}.csv`), (await app.inject(`${path}.csv${mark}`)).rawPayload)
    }
  const before = new Map<string, readonly string[]>()
  for (const dataset of DATASETS) before.set(dataset.name, await recordsOf(store, dataset))
  await convert(
    'xlsx',
    [...names.keys()].map(file => `${file}.csv`),
  )

  for (const [file, name] of names)
    await t.test(`${file}.xlsx has the records of the release`, async () => {
      const dataset = DATASETS.find(each => each.name === name) ?? assert.fail()
      const input = createReadStream(join(folder, `${file}.xlsx`))
      const report = await importDataset({ store, dataset, source: 'xlsx', input, force: true })
      assert.notEqual(report.outcome, 'refused', report.reason)
      assert.deepEqual(report.rejections, [])
      assert.equal(report.read, before.get(name)?.length)
      assert.deepEqual(await recordsOf(store, dataset), before.get(name))
    })

  await t.test('codes are text in their cells, and numbers are numbers', async () => {
    await convert('fods', ['carparks.csv'])
    const cells = cellsOf(await readFile(join(folder, 'carparks.fods'), 'utf8'))
    for (const text of ['0012', '05921', '1E5', 'Müller'])
      assert.deepEqual(
        cells.filter(cell => cell.text === text).map(({ type }) => type),
        ['string'],
        text,
      )
    assert.deepEqual(
      new Set(cells.filter(({ text }) => text === '606').map(({ type }) => type)),
      new Set(['float']),
    )
    assert.ok(cells.some(({ type }) => type === 'boolean'))
  })
})

/** The records of the current release as texts, in an order of their own: vehicles are served in another than their source's. */
async function recordsOf(store: Store, { name, layout }: Dataset): Promise<readonly string[]> {
  const current = (await store.releases.current(name)) ?? assert.fail(name)
  const opened = await store.releases.open(current, layout)
  const records = await allRecords(opened)
  return records.map(record => JSON.stringify(record)).sort()
}

/** The cells of a flat document, each with the type that LibreOffice gave it. */
function cellsOf(document: string) {
  const cells: { readonly type: string; text: string }[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'table:table-cell') cells.push({ type: attributes['office:value-type'] ?? '', text: '' })
  })
  parser.on('text', text => {
    const cell = cells.at(-1)
    if (cell !== undefined) cell.text += text.trim()
  })
  parser.write(document).close()
  return cells
}
