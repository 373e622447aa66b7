import type { SourceState, Store } from '../store.ts'
import { type ReadRegistry, type Row, type WriteRegistry, withAnyTable } from './tables.ts'

const KEYS = { sources: 'dataset', incidents: 'key' } as const

/** Creates the stores of source states and of incidents over a registry. Each state or incident is one JSON text. */
export function createStates(read: ReadRegistry, write: WriteRegistry): Pick<Store, 'sources' | 'incidents'> {
  const rowsOf = (table: keyof typeof KEYS) =>
    read(registry => withAnyTable(registry).selectFrom(table).selectAll().orderBy(KEYS[table]).execute())

  /** Adds a row, or replaces the one of its key. */
  const put = (table: keyof typeof KEYS, row: Row) =>
    write(async transaction => {
      const insertion = withAnyTable(transaction).insertInto(table).values(row)
      await insertion.onConflict(conflict => conflict.column(KEYS[table]).doUpdateSet(row)).execute()
    })

  return {
    sources: {
      async list() {
        return (await rowsOf('sources')).map(({ state }): SourceState => JSON.parse(String(state)))
      },
      save: state => put('sources', { dataset: state.dataset, state: JSON.stringify(state) }),
    },
    incidents: {
      async list() {
        const rows = await rowsOf('incidents')
        return rows.map(row => ({
          key: String(row.key),
          type: String(row.type),
          data: JSON.parse(String(row.data)),
        }))
      },
      save: ({ key, type, data }) => put('incidents', { key, type, data: JSON.stringify(data) }),
      async remove(key) {
        await write(transaction => transaction.deleteFrom('incidents').where('key', '=', key).execute())
      },
    },
  }
}
