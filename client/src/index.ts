export type {
  Answer,
  CallOptions,
  Client,
  ClientOptions,
  ListQuery,
  ListRecord,
  Page,
  PagedPath,
} from './client.ts'
export { createClient } from './client.ts'
export type { LiveEvent } from './live-events.ts'
export { ProblemError } from './problem-error.ts'
export type { components, paths } from './schema.ts'
