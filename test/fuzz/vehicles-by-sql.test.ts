import { test } from 'node:test'
import { fuzzEndpoints, isOfStore, isOfVehicles } from '../hostile/fuzz.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

test('endpoints match the model in five thousand queries each, vehicles from sql', t =>
  fuzzEndpoints(t, { queries: 5000, tableEngine: 'sql', includes: isOfVehicles }))

test('endpoints match the model in a thousand queries each, from a store on PostgreSQL', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const databaseUrl = await (await cluster()).emptyDatabase()
  await fuzzEndpoints(t, { queries: 1000, tableEngine: 'sql', databaseUrl, includes: isOfStore })
})
