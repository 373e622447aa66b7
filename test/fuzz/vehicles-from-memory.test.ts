import { test } from 'node:test'
import { fuzzEndpoints, isOfVehicles } from '../hostile/fuzz.ts'

test('endpoints answer twenty thousand queries each as the model does, vehicles from memory', t =>
  fuzzEndpoints(t, { queries: 20_000, tableEngine: 'memory', includes: isOfVehicles }))
