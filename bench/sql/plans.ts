import { Client, type QueryArrayResult } from 'pg'
import { vehicles } from '../../src/datasets/vehicles/index.ts'
import type { TableLayout } from '../../src/store/layout.ts'
import { kyselyOver, singleConnection } from '../../src/store/postgres/connect/dialect.ts'
import { tableEngine } from '../../src/store/postgres/read/table-engine.ts'
import { tableCollection } from '../../src/store/table/table-collection.ts'
import { QUESTIONS } from './questions.ts'

/** What the server did for each statement of each question, in its own words. */
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
    const database = kyselyOver<unknown>(singleConnection({ query } as Pick<Client, 'query'>), error => error)
    const { rows: releases } = await client.query<{ id: string }>('select locator as id from pds.releases')
    const engine = tableEngine(database, 'pds', String(releases[0]?.id))
    const table = tableCollection(engine, vehicles.layout as TableLayout, rows)
    for (const { name, ask } of QUESTIONS) {
      told.push(`### ${name}`, '')
      await ask(table)
    }
    return told.map(shortened).join('\n')
  } finally {
    await client.end()
  }
}

const linesOf = ({ rows }: QueryArrayResult<[string]>) => rows.map(([line]) => `    ${line}`)

/** Lists of codes have thousands of them. */
const shortened = (line: string) => line.replace(/\{[\d,]{60,}\}/g, '{…}')
