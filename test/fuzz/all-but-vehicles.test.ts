import { test } from 'node:test'
import { fuzzEndpoints, isOfVehicles } from '../hostile/fuzz.ts'

test('endpoints match the model in two thousand queries each, all endpoints but vehicles', t =>
  fuzzEndpoints(t, { queries: 2000, tableEngine: 'memory', includes: path => !isOfVehicles(path) }))
