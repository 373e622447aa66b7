import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openContents } from '../../store/open-contents.ts'
import { buffersOf, type Parts } from '../indexes/table-data.ts'
import { buildParts } from './build-table.ts'
import type { BuildAnswer, RegisterSource } from './load.ts'

/*
 * The thread in which a register is made. It hands over the memory itself, not a copy, and ends.
 */

/** Of ten parts of a processor that it must share with requests, this thread gets one. */
const NICENESS = 10

// Elsewhere a priority is that of the whole process. A machine that does not let it be lowered loses nothing else.
if (process.platform === 'linux') {
  try {
    setPriority(0, NICENESS)
  } catch {}
}

const answer = await readParts(workerData as RegisterSource).then(
  (parts): BuildAnswer => ({ parts }),
  (error: Error): BuildAnswer => ({
    failure: { name: error.name, message: error.message, stack: error.stack },
  }),
)
parentPort?.postMessage(answer, 'parts' in answer ? [...buffersOf(answer.parts)] : [])

async function readParts(source: RegisterSource): Promise<Parts> {
  const { databaseUrl, readUrl, release, layout, readyBytes } = source
  const contents = await openContents(databaseUrl, release, layout, readUrl)
  try {
    return await buildParts(contents, layout, release.rows, { readyBytes })
  } finally {
    await contents.close()
  }
}
