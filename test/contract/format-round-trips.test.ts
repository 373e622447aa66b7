import { test } from 'node:test'
import { compareFormats } from '../hostile/format-round-trip.ts'

// The same queries every time; test/fuzz sends many more, others each time.
const SAME = { queries: 30, seed: 20_240_501 }

for (const tableEngine of ['memory', 'sql'] as const)
  test(`vehicles are read back from every format as their JSON is, from ${tableEngine}`, t =>
    compareFormats(t, { ...SAME, tableEngine }))
