import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { constants, gzipSync } from 'node:zlib'
import { emptyFolder } from '../support/folder.ts'
import { startPds } from '../support/pds.ts'

const HEADER = {
  ...{ format: 'pds-backup', version: 1, service: '1', engine: 'sqlite', schema: 4 },
  at: '2026-03-01T10:00:00.000Z',
}
const RELEASE = {
  ...{ dataset: 'toilets', number: 1, hash: 'a'.repeat(64), rows: 1_000_000, source: 'x', synthetic: 0 },
  ...{ published_at: HEADER.at, added: 0, changed: 0, removed: 0, held_back: null },
}
const linesOf = (...lines: readonly unknown[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')
const start = (...lines: readonly unknown[]) => linesOf(HEADER, ...lines)
const inRelease = start({ release: RELEASE, digest: 'b'.repeat(32) })
const table = (name: string, ...columns: readonly string[]) => start({ table: name, columns })
const counted = (count: number) => Array.from({ length: count }, (_, at) => `[${at}]`).join()

/** What is crafted, how it continues after the start, and why it is refused. */
const CRAFTED: Readonly<Record<string, readonly [content: string, reason: RegExp]>> = {
  'blanks in one line': [' '.repeat(50_000_000), /line 1: it has more than 1048576 bytes/],
  'blanks in many lines': [
    `${inRelease}${`${' '.repeat(1_000_000)}[]\n`.repeat(45)}`,
    /line 3: it is not the end/,
  ],
  'empty records in one line': [`${inRelease}[${'{},'.repeat(1e6)}{}]\n`, /line 3: it has more than/],
  'empty records in many lines': [`${inRelease}${'[{}]\n'.repeat(1e6)}`, /line 3: record 1 of the release/],
  'many records in a line': [`${inRelease}[${'{},'.repeat(349_000)}{}]\n`, /line 3: record 1 of the release/],
  'deep lists': [`${inRelease}${'['.repeat(500_000)}${']'.repeat(500_000)}\n`, /line 3: it is not the end/],
  'a deep record': [
    `${inRelease}[{"id":${'['.repeat(500_000)}${']'.repeat(500_000)}}]\n`,
    /line 3: record 1 of the release/,
  ],
  'a deep cell': [
    `${table('observations', 'at')}[[${'['.repeat(500_000)}${']'.repeat(500_000)}]]\n`,
    /line 3: at of the table observations is a list; allowed: a whole number/,
  ],
  'deep lists in the header': [
    `{"format":${'['.repeat(500_000)}${']'.repeat(500_000)}}\n`,
    /line 1: it is not/,
  ],
  'deep state of a source': [
    `${table('sources', 'dataset', 'state')}${JSON.stringify([['toilets', `${'['.repeat(2e5)}${']'.repeat(2e5)}`]])}\n`,
    /line 3: state of the table sources is "\[+.*allowed: JSON of a source's state/,
  ],
  'equal rows': [`${table('observations', 'at')}${'[[1]]\n'.repeat(5e6)}`, /line 4: .* is there twice/],
  'empty rows': [
    `${table('observations', 'at')}[${'[],'.repeat(349_000)}[]]\n`,
    /line 3: a row of the table/,
  ],
  'rows without end': [
    `${table('observations', 'at')}[${counted(100_000)}]\n`,
    /line 4: the file is cut off/,
  ],
  'many releases': [
    start() +
      Array.from({ length: 50_001 }, (_, at) =>
        linesOf({ release: { ...RELEASE, number: at + 1 }, digest: null }, { end: { damaged: 'x' } }),
      ).join(''),
    /line 100002: .* more than 50000 releases/,
  ],
}

/** Starts a process, hardly limits its memory, and measures the most that was resident. */
async function verify(folder: string, file: string) {
  const startedAt = performance.now()
  const status = join(folder, 'status')
  const recorder = `data:text/javascript,${encodeURIComponent(`
    import { readFileSync, writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(${JSON.stringify(status)}, readFileSync('/proc/self/status')))`)}`
  const flags = ['--max-old-space-size=96', '--import', recorder]
  const child = startPds(folder, ['backup', '--verify', file], {}, { flags })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(status, 'utf8'))?.[1]
  return { code, stderr, mib: Number(peak) / 1024, seconds: (performance.now() - startedAt) / 1000 }
}

const noProc = process.platform !== 'linux' && 'memory is read from /proc (Linux)'

test('a crafted backup of some kilobytes is refused with little memory and soon', {
  skip: noProc,
}, async t => {
  const folder = await emptyFolder(t)
  const file = join(folder, 'crafted.gz')
  // What the process has when a file is refused at once.
  await writeFile(file, gzipSync('{}\n'))
  const none = await verify(folder, file)
  for (const [name, [content, reason]] of Object.entries(CRAFTED)) {
    const packed = gzipSync(content, { level: constants.Z_BEST_COMPRESSION })
    await writeFile(file, packed)
    const { code, stderr, mib, seconds } = await verify(folder, file)
    const [more, kb] = [mib - none.mib, packed.length / 1000]
    const message = `${name}, ${Math.round(kb)} kB: ${Math.round(more)} MiB more, ${seconds.toFixed(1)} s: ${stderr}`
    t.diagnostic(message)
    assert.equal(code, 1, message)
    assert.match(stderr, reason, name)
    assert.match(stderr, /^error: [^\n\p{Cc}]{1,700}\n$/u, name)
    assert.ok(more < 80, message)
    assert.ok(seconds < 10, message)
  }
})
