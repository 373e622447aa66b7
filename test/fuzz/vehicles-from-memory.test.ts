import { test } from 'node:test'
import { fuzzEndpoints, isOfVehicles } from '../hostile/fuzz.ts'

test('endpoints match the model in five thousand queries each, vehicles from memory', t =>
  fuzzEndpoints(t, { queries: 5000, tableEngine: 'memory', includes: isOfVehicles }))
