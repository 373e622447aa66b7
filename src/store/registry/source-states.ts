import type { SourceState, SourceStates } from '../source-states.ts'
import type { ReadRegistry, WriteRegistry } from './tables.ts'

/** Creates the store of the states of sources over a registry. A state is read and written whole, as JSON. */
export const createSourceStates = (read: ReadRegistry, write: WriteRegistry): SourceStates => ({
  async list() {
    const rows = await read(registry =>
      registry.selectFrom('sources').select('state').orderBy('dataset').execute(),
    )
    return rows.map(({ state }) => JSON.parse(state) as SourceState)
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
})
