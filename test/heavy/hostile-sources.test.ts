import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { emptyFolder } from '../support/folder.ts'
import { pds } from '../support/pds.ts'

/**
 * Makes a process tell at its end what it used: CPU seconds, and MiB of memory at the most. The operating system's own
 * figure of the latter is of no use here: a process inherits that of the one that started it.
 */
const USAGE = `process.on('exit', () => {
  const status = process.getBuiltinModule('fs').readFileSync('/proc/self/status', 'latin1')
  const [, kibibytes] = /VmHWM:\\s+(\\d+)/.exec(status)
  process.stderr.write('used ' + process.resourceUsage().userCPUTime / 1e6 + ' ' + kibibytes / 1024 + '\\n')
})`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(USAGE)}`

async function importOf(folder: string, dataset: string, source: string) {
  const { status, stdout, stderr } = await pds(folder, ['import', dataset, source], {
    environment: { NODE_OPTIONS },
  })
  const [, seconds = '', mebibytes = ''] = /^used (\S+) (\S+)$/m.exec(stderr) ?? []
  assert.ok(seconds, stderr)
  return { status, stdout, seconds: Number(seconds), mebibytes: Number(mebibytes) }
}

const RECALLS = 'id,title,recallDate,problem\n'
const RECALL = '1,Crisps,2024-01-01,Nuts\n'
const PLACES = 'id,name,services,location,parish\n'
const ID = '03d8bf66-e451-4a20-b3e5-96f8c1293f2c'

interface Hostile {
  readonly of: string
  readonly dataset?: string
  readonly source: () => string | Buffer
  /** What the report says, in one line. */
  readonly said: RegExp
}

const HOSTILE: readonly Hostile[] = [
  {
    of: '200,000 columns',
    source: () => `${'c,'.repeat(200_000)}\n${'1,'.repeat(200_000)}\n`,
    said: /^.*refused.*line 1 has 200001 columns; at most 1000 are allowed$/m,
  },
  {
    of: '50,000 columns in a later row',
    source: () => `${RECALLS}${RECALL}${'1,'.repeat(50_000)}\n`,
    said: /^.*refused.*line 3 has 50001 columns; at most 1000 are allowed$/m,
  },
  {
    of: 'a header of 200 KB',
    source: () => `${'x'.repeat(200_000)}\n1\n`,
    said: /^.*refused.*its columns are x{80};/m,
  },
  {
    of: 'a header of 200,000 quotes',
    source: () => `${'"'.repeat(200_001)}\n1\n`,
    said: /^.*refused.*a quote \("\) opens in the row that starts on line 1/m,
  },
  {
    of: 'a row of 20 MB',
    source: () => `${RECALLS}1,${'x'.repeat(20_000_000)}\n`,
    said: /^.*refused.*line 2 has more than the 1048576 characters that are allowed/m,
  },
  {
    of: 'a number of 200 KB',
    dataset: 'vehicles',
    source: () => `make,model,co2Emissions\nFORD,KA,${'1'.repeat(200_000)}x\n`,
    said: /co2Emissions +"1{80}" +has 200001 characters; at most 100000 are allowed$/m,
  },
  {
    of: 'a number of 99 KB',
    dataset: 'vehicles',
    source: () => `make,model,co2Emissions\nFORD,KA,${'1'.repeat(99_000)}x\n`,
    said: /co2Emissions +"1{80}" +must be a number in plain decimal digits$/m,
  },
  {
    of: 'a list of 19,000 items',
    dataset: 'recycling',
    source: () => `${PLACES}${ID},a,"${'glas,'.repeat(19_000)}",b,c\n`,
    said: /services +"(?:glas,){16}" +has 19000 items; at most 100 are allowed$/m,
  },
  {
    of: 'a value of 40,000 lists in each other',
    dataset: 'recycling',
    source: () => `${PLACES}${ID},a,"${'['.repeat(40_000)}${']'.repeat(40_000)}",b,c\n`,
    said: /services +"\[{80}" +is nested more than 100 deep, which is the most allowed$/m,
  },
  {
    of: '200,000 lists in each other',
    source: () => '['.repeat(200_000),
    said: /^.*refused.*nested more than 100 deep, which is the most allowed$/m,
  },
  {
    of: 'an object of 70,000 fields',
    source: () => `[{${Array.from({ length: 70_000 }, (_, key) => `"k${key}":1`).join()}}]`,
    said: /has 70000 fields; at most 1000 are allowed$/m,
  },
  {
    of: 'a list of 300,000 numbers',
    source: () => `[${'1,'.repeat(299_999)}1]`,
    said: /^.*refused.*300000 of 300000 rows rejected/m,
  },
  {
    of: '40 MB of blanks',
    source: () => ' '.repeat(40_000_000),
    said: /^.*refused.*the source starts with more than 1048576 blanks/m,
  },
  {
    of: 'gzip of equal rows',
    source: () => gzipSync(RECALLS + RECALL.repeat(4_000_000), { level: 9 }),
    said: /^.*refused.*unpacks to more than 100 times its size, which is the most allowed/m,
  },
  {
    of: 'gzip of equal long rows',
    source: () => gzipSync(`${RECALLS}${`1,${'y'.repeat(1_000_000)},x,p\n`.repeat(200)}`, { level: 9 }),
    said: /^.*refused.*unpacks to more than 100 times its size, which is the most allowed/m,
  },
  {
    of: 'gzip of equal readings',
    dataset: 'live-spaces',
    source: () =>
      gzipSync(`time,name,code,spaces\n${'2024-01-01 10:00,A,SAND,1\n'.repeat(1_000_000)}`, { level: 9 }),
    said: /^.*refused.*unpacks to more than 100 times its size, which is the most allowed/m,
  },
]

test('an import of each hostile source ends with one line, within bounds of time and memory', async t => {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'empty'), RECALLS)
  const usual = await importOf(folder, 'product-recalls', 'empty')
  for (const { of, dataset = 'product-recalls', source, said } of HOSTILE)
    await t.test(of, async t => {
      await writeFile(join(folder, 'source'), source())
      const { status, stdout, seconds, mebibytes } = await importOf(folder, dataset, 'source')
      t.diagnostic(
        `${seconds} s of CPU, ${Math.round(mebibytes - usual.mebibytes)} MiB more than an empty file`,
      )
      assert.equal(status, 1)
      assert.match(stdout, said)
      assert.ok(stdout.length < 4000, `${stdout.length} characters`)
      assert.ok(seconds < usual.seconds + 8, `${seconds} s of CPU`)
      assert.ok(mebibytes < usual.mebibytes + 100, `${mebibytes} MiB, for an empty file ${usual.mebibytes}`)
    })
})

test('the text of a source cannot control the terminal, as text and as JSON', async t => {
  const folder = await emptyFolder(t)
  const evil = '\u001b[2J\u009b31m\u202e\u2028'
  await writeFile(join(folder, 'source'), `id,${evil},title\n${evil},1,${evil}\n`)
  for (const more of [[], ['--json']]) {
    const { stdout, stderr } = await pds(folder, ['import', 'product-recalls', 'source', ...more])
    assert.match(stdout, /2J/)
    assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]|[\p{Cf}\p{Zl}]/u)
  }
})
