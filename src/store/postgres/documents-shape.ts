import type { Shape } from './shape.ts'

/** Records whole, as JSON, in the order of the source. */
export function documentsShape(): Shape {
  return {
    declarations: ['content text not null'],
    cells: (_record, content) => [content],
    async finish(client, { named }) {
      await client.query(
        `create table ${named('documents')} as select position, content from ${named('appended')} order by position`,
      )
      await client.query(`alter table ${named('documents')} add primary key (position)`)
      return ['documents']
    },
  }
}
