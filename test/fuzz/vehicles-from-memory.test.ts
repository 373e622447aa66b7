import { test } from 'node:test'
import { fuzzEndpoints, isOfVehicles } from '../hostile/fuzz.ts'

test('endpoints match the model in ten thousand queries each, vehicles from memory', t =>
  fuzzEndpoints(t, { queries: 10_000, tableEngine: 'memory', includes: isOfVehicles }))
