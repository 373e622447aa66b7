import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import { type Cell, type Database, endTransaction, type Statement } from './driver.ts'

/** Gives Kysely a connection of the `node:sqlite` API, with errors mapped; destroying the Kysely closes it. */
export async function kyselyOver<Tables>(
  database: Database,
  mapError: (error: unknown) => unknown,
): Promise<Kysely<Tables>> {
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapted(database, mapError) }) })
  // Kysely closes a connection only once it has used it.
  await sql`select 1`.execute(kysely)
  return kysely
}

/** The maximum number of cached prepared statements. Their text comes from the code alone, so few are used often. */
const CACHED_STATEMENTS = 100

function adapted(database: Database, mapError: (error: unknown) => unknown): SqliteDatabase {
  const cache = new Map<string, Statement>()
  function prepared(sql: string): Statement {
    const known = cache.get(sql)
    if (known !== undefined) return known
    if (cache.size >= CACHED_STATEMENTS) cache.clear()
    // A transaction that starts by reading and then writes fails at once if another process wrote in between; one that
    // takes the write lock first waits its turn.
    const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql)
    cache.set(sql, statement)
    return statement
  }
  function mapped<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw mapError(error)
    }
  }
  const rollback: SqliteStatement = {
    reader: false,
    all: () => [],
    // An error here would hide the one that ended the transaction.
    run() {
      endTransaction(database)
      return { changes: 0, lastInsertRowid: 0 }
    },
    iterate: () => [].values(),
  }
  return {
    close: () => database.close(),
    prepare(sql) {
      if (sql === 'rollback') return rollback
      const statement = mapped(() => prepared(sql))
      return {
        reader: /^\s*(select|with|pragma|explain)\b|\breturning\b/i.test(sql),
        all: parameters => mapped(() => statement.all(...(parameters as Cell[]))),
        run: parameters => mapped(() => statement.run(...(parameters as Cell[]))),
        iterate: parameters => statement.iterate(...(parameters as Cell[])),
      }
    },
  }
}
