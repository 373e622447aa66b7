import { test } from 'node:test'
import { NO_PATRONI } from '../support/patroni.ts'
import { NO_REDIS } from '../support/redis.ts'
import { CLIENT_FAULTS } from './client-faults.ts'
import { DATA_FAULTS, FILE_FAULTS } from './data-faults.ts'
import { FEED_FAULTS } from './feed-faults.ts'
import { type StageFigures, tellFigures } from './figures.ts'
import { SERVER_FAULTS } from './server-faults.ts'
import { startOne, startSeveral } from './services.ts'
import { MINUTES, SEED } from './settings.ts'
import { type StageOptions, soak } from './soak.ts'
import { STOPPING_FAULTS } from './stopping-faults.ts'

const COMMON = { ...DATA_FAULTS, ...FEED_FAULTS, ...CLIENT_FAULTS }

const STAGES: readonly (StageOptions & { readonly skip: string | false })[] = [
  {
    name: 'one instance on SQLite with a heap of 96 MB',
    start: startOne,
    minutes: MINUTES / 2,
    // Its process shall then run to the end.
    once: [STOPPING_FAULTS, { ...COMMON, ...FILE_FAULTS }],
    afterwards: { ...COMMON, ...FILE_FAULTS },
    skip: false,
  },
  {
    name: 'three instances on PostgreSQL and Redis',
    start: startSeveral,
    minutes: MINUTES / 2,
    once: [{ ...STOPPING_FAULTS, ...SERVER_FAULTS }],
    afterwards: { ...COMMON, ...STOPPING_FAULTS, ...SERVER_FAULTS },
    skip: NO_PATRONI || NO_REDIS,
  },
]

test(`${MINUTES} minutes of faults under a mixed load, SOAK_SEED=${SEED}`, async t => {
  const figures: StageFigures[] = []
  for (const stage of STAGES) await t.test(stage.name, { skip: stage.skip }, t => soak(t, stage, figures))
  await tellFigures(t, figures)
})
