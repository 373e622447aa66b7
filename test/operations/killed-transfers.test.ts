import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { STORED_DATASETS } from '../../src/cli/stored-datasets.ts'
import { openStore } from '../../src/store/open-store.ts'
import { backUp, copyStore, restore } from '../../src/store/transfer/transfer.ts'
import { emptyFolder } from '../support/folder.ts'
import { startPds } from '../support/pds.ts'
import { fillWithDatasets, linesIn, linesOf } from '../support/store-content.ts'
import { ENGINES, type TestedEngine } from '../support/store-engines.ts'

const KILLS = 12
/** Fewer are killed where the machine is so busy that a command ends before it is seen to have come far enough. */
const FEWEST_KILLS = 8
const VEHICLES = 300

const options = { datasets: STORED_DATASETS, waitMs: 30_000 }
const noProc = process.platform !== 'linux' && 'how far a process has come is read from /proc (Linux)'

/** A command that is run on a file and stores of its own. */
interface Transfer {
  readonly words: readonly string[]
  readonly databaseUrl: string
  /** Does the same in this process, unless it is done: then whether it is. Fails if it is done in part. */
  readonly isDone: () => Promise<boolean>
  /** Fails unless everything is there, and nothing else. */
  readonly check: () => Promise<void>
}

type Run = Pick<Transfer, 'words' | 'databaseUrl'>

/** Starts the code of the commands, and does nothing. */
const NOTHING: Run = { words: ['backup', '--verify', '/missing'], databaseUrl: 'sqlite:/missing' }

/** Runs a command and kills it once it has read and written so many bytes. */
async function runUntil(bytes: number, { words, databaseUrl }: Run) {
  const child = startPds('/', words, { DATABASE_URL: databaseUrl })
  const ended = once(child, 'exit')
  child.stdout.resume()
  child.stderr.resume()
  let moved = 0
  while (child.exitCode === null && moved < bytes) {
    moved = Math.max(moved, bytesMoved(child.pid))
    await pause(2)
  }
  child.kill('SIGKILL')
  const [status, signal] = await ended
  return { moved, status, isKilled: signal === 'SIGKILL' }
}

/** The bytes that a process has read from and written to files and sockets; 0 when it is gone. */
function bytesMoved(pid: number | undefined): number {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8')
    return [...io.matchAll(/^[rw]char: (\d+)$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
  } catch {
    return 0
  }
}

/** Kills runs of a command at moments from the beginning of its work to its end, by what it has read and written. */
async function killAtEveryMoment(t: TestContext, start: number, begin: () => Promise<Transfer>) {
  const first = await begin()
  const { moved: end, status } = await runUntil(Number.POSITIVE_INFINITY, first)
  assert.equal(status, 0)
  await first.check()
  let [killed, done] = [0, 0]
  for (let n = 0; n < KILLS; n++) {
    const transfer = await begin()
    const { isKilled } = await runUntil(start + ((n + 0.5) / KILLS) * (end - start), transfer)
    if (isKilled) killed++
    if (await transfer.isDone()) done++
    await transfer.check()
  }
  t.diagnostic(`${killed} killed: ${done} had done all, ${KILLS - done} nothing`)
  assert.ok(killed >= FEWEST_KILLS, `only ${killed} were killed`)
}

async function filledStore(t: TestContext, engine: TestedEngine) {
  const address = await engine.emptyStore(t)
  await fillWithDatasets(address, VEHICLES)
  return { source: address, expected: await linesOf(t, address) }
}

async function killBackups(t: TestContext, engine: TestedEngine, start: number): Promise<void> {
  const { source, expected } = await filledStore(t, engine)
  await killAtEveryMoment(t, start, async () => {
    const folder = await emptyFolder(t)
    const file = join(folder, 'backup.gz')
    await writeFile(file, 'old')
    return {
      words: ['backup', file, '--force'],
      databaseUrl: source,
      async isDone() {
        if ((await readFile(file, 'utf8')) !== 'old') return true
        await backUp(source, file, { ...options, replace: true })
        return false
      },
      async check() {
        assert.deepEqual(await linesIn(file), expected)
        assert.deepEqual(await readdir(folder), ['backup.gz'])
      },
    }
  })
}

async function killFills(
  t: TestContext,
  [from, to]: readonly [TestedEngine, TestedEngine],
  start: number,
  command: 'restore' | 'copy',
): Promise<void> {
  const { source, expected } = await filledStore(t, from)
  const file = join(await emptyFolder(t), 'backup.gz')
  await backUp(source, file, options)
  await killAtEveryMoment(t, start, async () => {
    const target = await to.emptyStore(t)
    const fill = () =>
      command === 'restore' ? restore(file, target, options) : copyStore(source, target, options)
    return {
      words: command === 'restore' ? [command, file] : [command, '--from', source],
      databaseUrl: target,
      isDone: () =>
        fill().then(
          () => false,
          (error: Error) => {
            assert.match(error.message, /is not empty/)
            return true
          },
        ),
      async check() {
        assert.deepEqual(await linesOf(t, target), expected)
        const store = await openStore(target)
        assert.equal(await store.releases.sweep(), 0, 'leftovers')
        await store.close()
      },
    }
  })
}

test('killed at any moment, a backup, a restore or a copy has done all or nothing, and nothing holds up the next', {
  skip: noProc,
  concurrency: 2,
}, async t => {
  const { moved: start } = await runUntil(Number.POSITIVE_INFINITY, NOTHING)
  await Promise.all(
    ENGINES.flatMap((engine, n) => {
      const other = ENGINES[1 - n] ?? engine
      return [
        t.test(`backup of ${engine.name}`, t => killBackups(t, engine, start)),
        t.test(`restore into ${engine.name}`, t => killFills(t, [engine, engine], start, 'restore')),
        t.test(`copy to ${engine.name}`, t => killFills(t, [other, engine], start, 'copy')),
      ]
    }),
  )
})
