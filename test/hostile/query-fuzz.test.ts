import { test } from 'node:test'
import { TABLE_KINDS } from '../support/store-engines.ts'
import { fuzzEndpoints, isOfStore } from './fuzz.ts'

// The same queries every time; test/fuzz sends many more, others each time.
const SAME = { queries: 160, seed: 20_240_501 }

// The same queries and the same model: consumers cannot tell which engine the operator runs.
for (const tableEngine of TABLE_KINDS)
  test(`endpoints match the model in random queries, vehicles from ${tableEngine}`, t =>
    fuzzEndpoints(t, { ...SAME, tableEngine, ...(tableEngine === 'sql' && { includes: isOfStore }) }))
