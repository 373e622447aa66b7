import { test } from 'node:test'
import { compareFormats } from '../hostile/format-round-trip.ts'

for (const tableEngine of ['memory', 'sql'] as const)
  test(`a thousand queries for vehicles are read back from every format as their JSON is, from ${tableEngine}`, t =>
    compareFormats(t, { queries: 1000, tableEngine }))
