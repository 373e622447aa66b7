import { sql } from 'kysely'
import type { TableOptions } from '../../engine.ts'
import type { StageOptions } from '../../store.ts'
import type { LoadTarget } from '../../transfer/load.ts'
import { listed } from '../../transfer/registry-rows.ts'
import { openRegistry } from '../registry.ts'
import { openReleaseWriter } from '../write/release-writer.ts'
import { registryTablesOf, SCHEMA } from './tables.ts'

/** Opens the store in a folder to fill it. Throws {@link StoreBusyError} on timeout. */
export async function openLoadTarget(
  folder: string,
  options: StageOptions,
  tables: TableOptions,
): Promise<LoadTarget> {
  const registry = await openRegistry(folder)
  try {
    const writer = await openReleaseWriter(folder, registry, options, tables)
    return {
      writer,
      shown: folder,
      schema: SCHEMA,
      tables: await registryTablesOf(registry),
      write: writer.write,
      async insert(transaction, table, columns, rows) {
        const cells = sql.join(columns.map((_, place) => sql`value ->> ${sql.lit(place)}`))
        await sql`
          insert into ${sql.id(SCHEMA, table)} (${listed(columns)})
          select ${cells} from json_each(${JSON.stringify(rows)})`.execute(transaction)
      },
      async close() {
        await writer.unlock()
        await registry.destroy()
      },
    }
  } catch (error) {
    await registry.destroy()
    throw error
  }
}
