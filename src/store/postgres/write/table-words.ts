import type { Client } from 'pg'
import type { Dictionary } from '../../table/cells.ts'
import { dictionaryEntries } from '../../table/rollups/dictionary-blocks.ts'
import { blocksOf, COMBINED, COUNT_COLUMN, type RollupPlan } from '../../table/rollups/rollup-tables.ts'
import type { ReleaseTables } from './release-tables.ts'

/**
 * Writes the dictionary of a column with each value's number of rows, so that unfiltered counts need only read it;
 * resolves to the names of its tables.
 */
export async function writeWords(
  client: Client,
  { named }: ReleaseTables,
  column: string,
  codes: Dictionary,
  { lowCardinality: few, highCardinality: many, counted }: RollupPlan,
): Promise<string[]> {
  const { words, blocks } = dictionaryEntries(codes)
  // Rollups save counting from the rows.
  const counts =
    counted && few.includes(column)
      ? `select "${column}" as code, sum("${COUNT_COLUMN}")::integer as count from ${named(COMBINED)} group by 1`
      : `select "${column}" as code, count(*)::integer as count from ${named('rows')} group by 1`
  const made = `words_${column}`
  // Values of rejected records are in no row, and so have no count.
  await client.query(
    `create table ${named(made)} as
      select id, value collate "C" as value, folded collate "C" as folded, rank, count, piece
      from unnest($1::integer[], $2::text[], $3::text[], $4::integer[], $5::integer[])
        as words (id, value, folded, rank, piece)
      join (${counts}) as counts on code = id
      order by piece, id`,
    (['code', 'value', 'folded', 'rank', 'block'] as const).map(name => words.map(word => word[name])),
  )
  await client.query(`alter table ${named(made)} add primary key (id)`)
  if (!many.includes(column)) return [made]

  await client.query(`create index on ${named(made)} (piece) with (fillfactor = 100)`)
  await client.query(
    `create table ${named(blocksOf(column))} as
      select (number - 1)::integer as id, text collate "C" as text
      from unnest($1::text[]) with ordinality as blocks (text, number) order by number`,
    [blocks],
  )
  return [made, blocksOf(column)]
}
