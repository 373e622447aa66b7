import { test } from 'node:test'
import { fuzzEndpoints, isOfVehicles } from '../hostile/fuzz.ts'

test('endpoints match the model in twenty thousand queries each, vehicles from memory', t =>
  fuzzEndpoints(t, { queries: 20_000, tableEngine: 'memory', includes: isOfVehicles }))
