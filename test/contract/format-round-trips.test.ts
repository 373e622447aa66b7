import { test } from 'node:test'
import { compareFormats } from '../hostile/format-round-trip.ts'
import { TABLE_KINDS } from '../support/store-engines.ts'

// The same queries every time; test/fuzz sends many more, others each time.
const SAME = { queries: 30, seed: 20_240_501 }

for (const tableEngine of TABLE_KINDS)
  test(`vehicles are read back from every format as their JSON is, from ${tableEngine}`, t =>
    compareFormats(t, { ...SAME, tableEngine }))
