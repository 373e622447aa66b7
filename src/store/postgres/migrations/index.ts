import { registry } from './001-registry.ts'
import { poller } from './002-poller.ts'

/** The schema, step by step; step n makes version n of it. Steps are only ever added. */
export const MIGRATIONS: readonly string[] = [registry, poller]
