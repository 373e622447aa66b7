import { Client } from 'pg'
import { whole } from '../report/numbers.ts'
import { markdownTable } from '../report/table.ts'

/** The size of each table and index of the releases, largest first, as a table in Markdown. */
export async function sizesOf(address: string): Promise<string> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; kind: string; bytes: string; entries: string }>(`
      select relname as name, case relkind when 'i' then 'index' else 'table' end as kind,
        pg_relation_size(oid) as bytes, greatest(reltuples, 0)::bigint as entries
      from pg_class where relname ~ '^r[0-9]+_' and relkind in ('r', 'i') order by 3 desc`)
    const all = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)
    return markdownTable(
      ['', 'kind', 'MiB', 'entries'],
      [
        ...rows.map(({ name, kind, bytes, entries }) => [
          name,
          kind,
          mebibytes(Number(bytes)),
          whole(Number(entries)),
        ]),
        ['all', '', mebibytes(all), ''],
      ],
    )
  } finally {
    await client.end()
  }
}

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
