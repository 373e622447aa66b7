import { test } from 'node:test'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { fuzzEndpoints, isOfStore, isOfVehicles } from './fuzz.ts'

// The same questions every time; test/fuzz asks many more, others each time.
const SAME = { questions: 160, seed: 20_240_501 }

test('endpoints answer questions at random as the model does, vehicles from memory', t =>
  fuzzEndpoints(t, { ...SAME, register: 'memory' }))

test('endpoints answer questions at random as the model does, vehicles from sql', t =>
  fuzzEndpoints(t, { ...SAME, register: 'sql', asks: isOfVehicles }))

// The same questions and the same model: whoever asks cannot tell which engine the operator runs.
test('endpoints answer questions at random as the model does, from a store on PostgreSQL', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const databaseUrl = await (await cluster()).emptyDatabase()
  await fuzzEndpoints(t, { ...SAME, register: 'sql', databaseUrl, asks: isOfStore })
})
