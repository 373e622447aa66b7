import { test } from 'node:test'
import { fuzzEndpoints, isOfStore } from '../hostile/fuzz.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

test(
  'endpoints match the model in two thousand queries each, vehicles and history by SQL',
  {
    skip: postgresFolder() === undefined && NO_POSTGRES,
  },
  t => fuzzEndpoints(t, { queries: 2000, tableEngine: 'sql', includes: isOfStore }),
)
