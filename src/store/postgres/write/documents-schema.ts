import type { PhysicalSchema } from './physical-schema.ts'

/** Whole records as JSON, in the order of the source. */
export function documentsSchema(): PhysicalSchema {
  return {
    declarations: ['content text not null'],
    async arrange(client, { named }) {
      const { rowCount } = await client.query(
        `create table ${named('documents')} as select position, content from ${named('appended')} order by position`,
      )
      return rowCount ?? 0
    },
    async finish({ runFirst: alone }, { named }) {
      await alone(client => client.query(`alter table ${named('documents')} add primary key (position)`))
      return ['documents']
    },
  }
}
