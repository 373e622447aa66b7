import type { Client } from 'pg'
import type { Dictionary } from '../../table/cells.ts'
import { dictionaryEntries } from '../../table/rollups/dictionary-blocks.ts'
import { blocksOf, COMBINED, COUNT_COLUMN, type RollupPlan } from '../../table/rollups/rollup-tables.ts'
import { startCopy } from './copy-in.ts'
import { copyLine } from './record-encoder.ts'
import type { ReleaseTables } from './release-tables.ts'

/** Values sent at once. */
const BATCH = 1000

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
  const line = ({ code, value, folded, rank, block }: (typeof words)[number]) =>
    copyLine([code, value, folded, rank, block])
  const declared =
    'id integer not null, value text not null, folded text not null, rank integer not null, piece integer not null'
  const appended = await sent(client, named(`appended_${column}`), declared, words, line)

  // Rollups save counting from the rows.
  const counts =
    counted && few.includes(column)
      ? `select "${column}" as code, sum("${COUNT_COLUMN}")::integer as count from ${named(COMBINED)} group by 1`
      : `select "${column}" as code, count(*)::integer as count from ${named('rows')} group by 1`
  const made = `words_${column}`
  // Values of rejected records are in no row, and so have no count.
  await client.query(`
    create table ${named(made)} as
      select id, value collate "C" as value, folded collate "C" as folded, rank, count, piece
      from ${appended} join (${counts}) as counts on code = id
      order by piece, id`)
  await client.query(`alter table ${named(made)} add primary key (id)`)
  await client.query(`drop table ${appended}`)
  if (!many.includes(column)) return [made]

  await client.query(`create index on ${named(made)} (piece) with (fillfactor = 100)`)
  const source = await sent(
    client,
    named(`appended_${blocksOf(column)}`),
    'id integer not null, text text not null',
    blocks.map((text, id): [number, string] => [id, text]),
    copyLine,
  )
  await client.query(`
    create table ${named(blocksOf(column))} as select id, text collate "C" as text from ${source} order by id`)
  await client.query(`drop table ${source}`)
  return [made, blocksOf(column)]
}

/** Copies dictionary entries into an intermediate table, as readers must never see an incomplete table of a release. */
async function sent<Listed>(
  client: Client,
  table: string,
  declared: string,
  listed: readonly Listed[],
  line: (one: Listed) => string,
): Promise<string> {
  await client.query(`create unlogged table ${table} (${declared})`)
  const copy = await startCopy(client, `copy ${table} from stdin`)
  for (let start = 0; start < listed.length; start += BATCH)
    await copy.write(
      listed
        .slice(start, start + BATCH)
        .map(line)
        .join(''),
    )
  await copy.end()
  return table
}
