import { test } from 'node:test'
import { fuzzEndpoints } from '../hostile/fuzz.ts'

for (const register of ['memory', 'sql'] as const) {
  test(`endpoints answer twenty thousand questions each as the model does, vehicles from ${register}`, t =>
    fuzzEndpoints(t, { questions: 20_000, register }))
}
