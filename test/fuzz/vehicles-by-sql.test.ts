import { test } from 'node:test'
import { fuzzEndpoints, isOfStore, isOfVehicles } from '../hostile/fuzz.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

test('endpoints answer twenty thousand questions each as the model does, vehicles from sql', t =>
  fuzzEndpoints(t, { questions: 20_000, register: 'sql', asks: isOfVehicles }))

test('endpoints answer a thousand questions each as the model does, from a store on PostgreSQL', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const databaseUrl = await (await cluster()).emptyDatabase()
  await fuzzEndpoints(t, { questions: 1000, register: 'sql', databaseUrl, asks: isOfStore })
})
