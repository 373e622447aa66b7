import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import { type Cell, type Database, endTransaction } from './driver.ts'

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

function adapted(database: Database, mapError: (error: unknown) => unknown): SqliteDatabase {
  function mapped<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw mapError(error)
    }
  }
  function statementOf(text: string): SqliteStatement {
    // A transaction that starts by reading and then writes fails at once if another process wrote in between; one that
    // takes the write lock first waits its turn.
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
    const all = (parameters: readonly unknown[]) => mapped(() => statement.all(...(parameters as Cell[])))
    return {
      reader: /^\s*(select|with|pragma|explain)\b|\breturning\b/i.test(text),
      all,
      run: parameters => mapped(() => statement.run(...(parameters as Cell[]))),
      iterate: parameters => all(parameters).values(),
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
    prepare: text => (text === 'rollback' ? rollback : mapped(() => statementOf(text))),
  }
}
