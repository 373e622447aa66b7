import type { SourceState, Store } from '../store.ts'
import type { ReadRegistry, WriteRegistry } from './tables.ts'

/** Creates the stores of source states and of incidents over a registry. Each state or incident is one JSON text. */
export const createStates = (
  read: ReadRegistry,
  write: WriteRegistry,
): Pick<Store, 'sources' | 'incidents'> => ({
  sources: {
    async list() {
      const rows = await read(registry =>
        registry.selectFrom('sources').select('state').orderBy('dataset').execute(),
      )
      return rows.map(({ state }): SourceState => JSON.parse(state))
    },
    async save(state) {
      const row = { state: JSON.stringify(state) }
      await write(transaction =>
        transaction
          .insertInto('sources')
          .values({ dataset: state.dataset, ...row })
          .onConflict(conflict => conflict.column('dataset').doUpdateSet(row))
          .execute(),
      )
    },
  },
  incidents: {
    async list() {
      const rows = await read(registry =>
        registry.selectFrom('incidents').selectAll().orderBy('key').execute(),
      )
      return rows.map(({ key, type, data }) => ({ key, type, data: JSON.parse(data) }))
    },
    async save({ key, type, data }) {
      const row = { type, data: JSON.stringify(data) }
      await write(transaction =>
        transaction
          .insertInto('incidents')
          .values({ key, ...row })
          .onConflict(conflict => conflict.column('key').doUpdateSet(row))
          .execute(),
      )
    },
    async remove(key) {
      await write(transaction => transaction.deleteFrom('incidents').where('key', '=', key).execute())
    },
  },
})
