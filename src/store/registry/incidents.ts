import type { Incidents } from '../incidents.ts'
import type { ReadRegistry, WriteRegistry } from './tables.ts'

/** Creates the store of incidents over a registry. */
export const createIncidents = (read: ReadRegistry, write: WriteRegistry): Incidents => ({
  async list() {
    const rows = await read(registry => registry.selectFrom('incidents').selectAll().orderBy('key').execute())
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
})
