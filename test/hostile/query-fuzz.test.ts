import { test } from 'node:test'
import { fuzzEndpoints } from './fuzz.ts'

// The same questions every time; test/heavy/query-fuzz.test.ts asks many more, others each time.
for (const register of ['memory', 'sql'] as const) {
  test(`endpoints answer questions at random as the model does, vehicles from ${register}`, t =>
    fuzzEndpoints(t, { questions: 160, seed: 20_240_501, register }))
}
