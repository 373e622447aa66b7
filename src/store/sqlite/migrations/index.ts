import { registry } from './001-registry.ts'
import { history } from './002-history.ts'

/** The registry's schema, step by step; step n makes version n of it. Steps are only ever added. */
export const MIGRATIONS: readonly string[] = [registry, history]
