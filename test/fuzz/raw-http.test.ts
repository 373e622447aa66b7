import { test } from 'node:test'
import { fuzzConnections } from '../hostile/raw-fuzz.ts'

test('ten thousand random connections are answered soundly or closed', t =>
  fuzzConnections(t, { requests: 10_000, atOnce: 400 }))
