import { Client, type QueryArrayResult } from 'pg'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import type { TableLayout } from '../../src/query/layout.ts'
import { readAddress } from '../../src/store/postgres/connect/address.ts'
import { registryOver, singleConnection } from '../../src/store/postgres/connect/session.ts'
import { rowsOf } from '../../src/store/postgres/release-tables.ts'
import { rowsCollection } from '../../src/store/postgres/rows/rows-collection.ts'
import { QUESTIONS } from './questions.ts'

/** The server's own plan of each statement of each query. */
export async function plansOf(address: string, rows: number): Promise<string> {
  const client = new Client({ connectionString: address })
  await client.connect()
  const told: string[] = []
  const query = async (text: string, values: unknown[]) => {
    const plan = await client.query<[string]>({
      text: `explain (analyze, buffers) ${text}`,
      values,
      rowMode: 'array',
    })
    told.push(text.replace(/\s+/g, ' ').trim(), ...linesOf(plan), '')
    return client.query(text, values)
  }
  try {
    const target = readAddress(address)
    const database = registryOver(singleConnection({ query } as Pick<Client, 'query'>), target)
    const { rows: releases } = await client.query<{ id: string }>('select name as id from pds.release_files')
    const table = rowsCollection(
      database,
      rowsOf(target.schema, String(releases[0]?.id)),
      vehicles.layout as TableLayout,
      rows,
    )
    for (const { name, ask } of QUESTIONS) {
      told.push(`### ${name}`, '')
      await ask(table)
    }
    return told.join('\n')
  } finally {
    await client.end()
  }
}

const linesOf = ({ rows }: QueryArrayResult<[string]>) => rows.map(([line]) => `    ${line}`)
