import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import type { Cell } from '../encoding/cells.ts'
import type { Database, Statement } from './driver.ts'

/** Gives Kysely a connection of the `node:sqlite` API; destroying the Kysely closes it. */
export async function kyselyOver<Tables>(
  database: Database,
  explain: (error: unknown) => unknown,
): Promise<Kysely<Tables>> {
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapted(database, explain) }) })
  // Kysely closes a connection only once it has used it.
  await sql`select 1`.execute(kysely)
  return kysely
}

/** The maximum number of cached prepared statements. Their text comes from the code alone, so few are used often. */
const KEPT_STATEMENTS = 100

function adapted(database: Database, explain: (error: unknown) => unknown): SqliteDatabase {
  const kept = new Map<string, Statement>()
  function prepared(sql: string): Statement {
    const known = kept.get(sql)
    if (known !== undefined) return known
    if (kept.size >= KEPT_STATEMENTS) kept.clear()
    // A transaction that starts by reading and then writes fails at once if another process wrote in between; one that
    // takes the write lock first waits its turn.
    const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql)
    kept.set(sql, statement)
    return statement
  }
  return {
    close: () => database.close(),
    prepare: sql =>
      adaptedStatement(
        sql,
        explaining(() => prepared(sql), explain),
        explain,
      ),
  }
}

function adaptedStatement(
  sql: string,
  statement: Statement,
  explain: (error: unknown) => unknown,
): SqliteStatement {
  return {
    reader: /^\s*(select|with|pragma|explain)\b|\breturning\b/i.test(sql),
    all: parameters => explaining(() => statement.all(...(parameters as Cell[])), explain),
    run: parameters => explaining(() => statement.run(...(parameters as Cell[])), explain),
    iterate: parameters => statement.iterate(...(parameters as Cell[])),
  }
}

function explaining<T>(work: () => T, explain: (error: unknown) => unknown): T {
  try {
    return work()
  } catch (error) {
    throw explain(error)
  }
}
