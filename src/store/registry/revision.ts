import { randomInt } from 'node:crypto'
import type { Registry } from './tables.ts'

/** `revision` changes with any current release, `history_revision` with each import of readings. */
type Counter = 'revision' | 'history_revision'

export async function readRevision(registry: Registry, counter: Counter): Promise<number> {
  return (await registry.selectFrom('state').select(counter).executeTakeFirstOrThrow())[counter]
}

/**
 * Raises a revision, in the caller's transaction. It is made from the clock and two random digits: after a fail-over to
 * a standby that lacks the last change, the next revision must not equal one that instances have seen.
 */
export async function raiseRevision(transaction: Registry, counter: Counter): Promise<void> {
  const before = await readRevision(transaction, counter)
  const next = Math.max(before + 1, Date.now() * 100 + randomInt(100))
  await transaction
    .updateTable('state')
    .set({ [counter]: next })
    .execute()
}
