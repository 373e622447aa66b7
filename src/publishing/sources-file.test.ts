import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../test/support/folder.ts'
import { ConfigError } from '../config.ts'
import { readSources } from './sources-file.ts'

const GOOD = {
  dataset: 'toilets',
  url: 'https://user:s3cret@data.example/toilets.csv?key=s3cret',
  every: '6h',
}

test('without SOURCES there is none; a good file gives all', async t => {
  assert.deepEqual(readSources({ SOURCES: undefined }), [])
  const path = join(await emptyFolder(t), 'sources.json')
  const full = {
    ...GOOD,
    map: { Ort: 'name', Wo: 'position', id: null },
    rejectLimit: '1.5%',
    maxBytes: 1000,
    timeoutS: 5,
    allowPrivate: true,
    delimiter: ';',
    listSeparator: '|',
    encoding: 'windows-1252',
  }
  await writeFile(
    path,
    JSON.stringify({ sources: [full, { ...GOOD, dataset: 'recycling', every: '15 3 * * *' }] }),
  )
  const [toilets, recycling] = readSources({ SOURCES: path })
  assert.deepEqual(toilets?.entry, full)
  assert.equal(toilets.address, 'https://…@data.example/…')
  assert.notEqual(toilets.configuration, recycling?.configuration)
})

/** Mistakes in the file, each with the message after the file's name. */
const SLIPS: readonly [sources: unknown, message: RegExp][] = [
  [{}, /^, \/sources: is \{\}; allowed: a list of sources$/],
  [['toilets'], /^, \/sources\/0: is "toilets"; allowed: an object with dataset, url and every$/],
  [[{ ...GOOD, every: undefined }], /^, \/sources\/0: lacks every$/],
  [[{ ...GOOD, evry: '1h' }], /^, \/sources\/0: has "evry", which is unknown; did you mean "every"\?/],
  [
    [{ ...GOOD, dataset: 'toilet' }],
    /^, \/sources\/0\/dataset: is "toilet" \(did you mean "toilets"\?\); allowed: veh/,
  ],
  [[{ ...GOOD, dataset: 7 }], /^, \/sources\/0\/dataset: is 7; allowed: vehicles, /],
  [
    [GOOD, GOOD],
    /^, \/sources\/1\/dataset: is "toilets", which another source has; a dataset has one source$/,
  ],
  [
    [{ ...GOOD, url: 'ftp://u:s3cret@host/x' }],
    /^, \/sources\/0\/url: is "ftp:\/\/…@host\/…", which must be an address/,
  ],
  [[{ ...GOOD, url: { a: 'https://u:s3cret@host' } }], /^, \/sources\/0\/url: is "?…"?; allowed: an address/],
  [
    [{ ...GOOD, every: '30s' }],
    /^, \/sources\/0\/every: is "30s", which is shorter than a minute; allowed: an interval/,
  ],
  [
    [{ ...GOOD, every: 'often' }],
    /^, \/sources\/0\/every: is "often", which is neither an interval nor a cron/,
  ],
  [
    [{ ...GOOD, map: { 'A/B': 'nme' } }],
    /^, \/sources\/0\/map\/A~1B: is "nme" \(did you mean "name"\?\); allowed: id, .*, position$/,
  ],
  [[{ ...GOOD, map: 'A=name' }], /^, \/sources\/0\/map: is .*; allowed: fields by columns/],
  [
    [{ ...GOOD, rejectLimit: '101%' }],
    /^, \/sources\/0\/rejectLimit: is "101%"; allowed: a whole number of rows/,
  ],
  [[{ ...GOOD, rejectLimit: -1 }], /^, \/sources\/0\/rejectLimit: is -1; allowed: a whole number of rows/],
  [[{ ...GOOD, maxBytes: 0 }], /^, \/sources\/0\/maxBytes: is 0; allowed: a whole number from 1 to /],
  [
    [{ ...GOOD, timeoutS: 'long' }],
    /^, \/sources\/0\/timeoutS: is "long"; allowed: a whole number from 1 to 86400$/,
  ],
  [[{ ...GOOD, allowPrivate: 'yes' }], /^, \/sources\/0\/allowPrivate: is "yes"; allowed: true or false$/],
  [[{ ...GOOD, encoding: 5 }], /^, \/sources\/0\/encoding: is 5; allowed: utf-8, utf-16le, /],
  [[{ ...GOOD, delimiter: '-' }], /^, \/sources\/0\/delimiter: is "-"; allowed: ,, ;, \|, tab$/],
]

test('each slip in each field gives one line with file, place, value and what is allowed', async t => {
  const path = join(await emptyFolder(t), 'sources.json')
  for (const [sources, message] of SLIPS) {
    await writeFile(path, JSON.stringify({ sources }))
    assert.throws(
      () => readSources({ SOURCES: path }),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        assert.ok(error.message.startsWith(`SOURCES: ${path}`), error.message)
        assert.match(error.message.slice(`SOURCES: ${path}`.length), message)
        assert.doesNotMatch(error.message, /\n|s3cret/)
        return true
      },
    )
  }
})
