import { test } from 'node:test'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'
import { fuzzEndpoints } from './fuzz.ts'

const SEED = 20_240_501

// The same questions every time; test/heavy/query-fuzz.test.ts asks many more, others each time.
for (const register of ['memory', 'sql'] as const) {
  test(`endpoints answer questions at random as the model does, vehicles from ${register}`, t =>
    fuzzEndpoints(t, { questions: 160, seed: SEED, register }))
}

// The same questions and the same model: whoever asks cannot tell which engine the operator runs.
test('endpoints answer questions at random as the model does, from a store on PostgreSQL', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const databaseUrl = await (await cluster()).emptyDatabase()
  await fuzzEndpoints(t, { questions: 160, seed: SEED, register: 'sql', databaseUrl })
})
