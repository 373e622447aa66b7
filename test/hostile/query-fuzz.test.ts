import { test } from 'node:test'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { fuzzEndpoints, isOfStore, isOfVehicles } from './fuzz.ts'

// The same queries every time; test/fuzz sends many more, others each time.
const SAME = { queries: 160, seed: 20_240_501 }

test('endpoints match the model in random queries, vehicles from memory', t =>
  fuzzEndpoints(t, { ...SAME, tableEngine: 'memory' }))

test('endpoints match the model in random queries, vehicles from sql', t =>
  fuzzEndpoints(t, { ...SAME, tableEngine: 'sql', includes: isOfVehicles }))

// The same queries and the same model: consumers cannot tell which engine the operator runs.
test('endpoints match the model in random queries, from a store on PostgreSQL', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const databaseUrl = await (await cluster()).emptyDatabase()
  await fuzzEndpoints(t, { ...SAME, tableEngine: 'sql', databaseUrl, includes: isOfStore })
})
