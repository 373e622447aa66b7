import { test } from 'node:test'
import { compareFormats } from '../hostile/format-round-trip.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

test('five hundred queries for vehicles are read back from every format as their JSON is, from memory', t =>
  compareFormats(t, { queries: 500, tableEngine: 'memory' }))

test(
  'a hundred queries for vehicles are read back from every format as their JSON is, from sql',
  {
    skip: postgresFolder() === undefined && NO_POSTGRES,
  },
  t => compareFormats(t, { queries: 100, tableEngine: 'sql' }),
)
