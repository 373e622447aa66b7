import { test } from 'node:test'
import { fuzzEndpoints, isOfVehicles } from '../hostile/fuzz.ts'

test('endpoints answer twenty thousand questions each as the model does, all but those of vehicles', t =>
  fuzzEndpoints(t, { questions: 20_000, register: 'memory', asks: path => !isOfVehicles(path) }))
