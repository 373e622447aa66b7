import type { PhysicalSchema } from './physical-schema.ts'

/** Whole records as JSON, in the order of the source. */
export function documentsSchema(): PhysicalSchema {
  return {
    declarations: ['content text not null'],
    cells: (_record, content) => [content],
    finish: [
      database =>
        database.exec(`
          create table file.documents (position integer primary key, content text not null);
          insert into file.documents select position, content from aside.appended order by position`),
    ],
  }
}
