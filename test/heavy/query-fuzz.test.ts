import { test } from 'node:test'
import { fuzzEndpoints } from '../hostile/fuzz.ts'
import { cluster, NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

for (const register of ['memory', 'sql'] as const) {
  test(`endpoints answer twenty thousand questions each as the model does, vehicles from ${register}`, t =>
    fuzzEndpoints(t, { questions: 20_000, register }))
}

test('endpoints answer a thousand questions each as the model does, from a store on PostgreSQL', {
  skip: postgresFolder() === undefined && NO_POSTGRES,
}, async t => {
  const databaseUrl = await (await cluster()).emptyDatabase()
  await fuzzEndpoints(t, { questions: 1000, register: 'sql', databaseUrl })
})
