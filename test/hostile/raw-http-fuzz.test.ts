import { test } from 'node:test'
import { fuzzConnections } from './raw-fuzz.ts'

// The same requests every time; test/fuzz sends many more, others each time.
test('random connections are answered soundly or closed', t =>
  fuzzConnections(t, { requests: 400, seed: 20_240_501, atOnce: 200 }))
