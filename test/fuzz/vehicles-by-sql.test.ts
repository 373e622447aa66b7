import { test } from 'node:test'
import { fuzzEndpoints, isOfStore } from '../hostile/fuzz.ts'
import { NO_POSTGRES, postgresFolder } from '../support/postgres.ts'

test(
  'endpoints match the model in a thousand queries each, vehicles and history by SQL',
  {
    skip: postgresFolder() === undefined && NO_POSTGRES,
  },
  t => fuzzEndpoints(t, { queries: 1000, tableEngine: 'sql', includes: isOfStore }),
)
