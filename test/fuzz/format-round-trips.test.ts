import { test } from 'node:test'
import { compareFormats } from '../hostile/format-round-trip.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

test('a thousand queries for vehicles are read back from every format as their JSON is, from memory', t =>
  compareFormats(t, { queries: 1000, tableEngine: 'memory' }))

test(
  'two hundred queries for vehicles are read back from every format as their JSON is, from sql',
  {
    skip: postgresFolder() === undefined && NO_POSTGRES,
  },
  t => compareFormats(t, { queries: 200, tableEngine: 'sql' }),
)
