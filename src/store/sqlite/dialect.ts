import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import { beginWriting, type Database, endTransaction, type WrittenRows } from './driver.ts'

/** Makes a Kysely over a connection of the `node:sqlite` API, with errors mapped. Destroying the Kysely closes the connection. */
export async function kyselyOver<Tables>(
  database: Database,
  mapError: (error: unknown) => unknown,
): Promise<Kysely<Tables>> {
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapted(database, mapError) }) })
  // Kysely closes only a connection that it has used.
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
    const statement = database.prepare(text)
    const all = (parameters: readonly unknown[]) => mapped(() => statement.all(...parameters))
    return {
      reader: /^\s*(select|with|pragma|explain)\b|\breturning\b/i.test(text),
      all,
      run: parameters => mapped(() => COMMANDS[text]?.(database) ?? statement.run(...parameters)),
      iterate: parameters => all(parameters).values(),
    }
  }
  return {
    close: () => database.close(),
    prepare: text => mapped(() => statementOf(text)),
  }
}

/** How Kysely's transactions begin and end. */
const COMMANDS: Readonly<Record<string, (database: Database) => WrittenRows>> = {
  begin(database) {
    beginWriting(database)
    return NO_CHANGES
  },
  rollback(database) {
    // Never throws: an error here would hide the error that ended the transaction.
    endTransaction(database)
    return NO_CHANGES
  },
}

const NO_CHANGES: WrittenRows = { changes: 0, lastInsertRowid: 0 }
