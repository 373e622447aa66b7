import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { PROBLEMS } from '../../errors.ts'
import { VERSION } from '../../version.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Statuses of the problems that the endpoint may answer besides those that all may. */
    problems?: readonly number[]
    /** True where answers have no validators, so that none is 304. */
    isUnconditional?: boolean
  }
}

/** What every endpoint may answer besides 200. */
const COMMON_PROBLEMS = [400, 405, 406, 408, 431, 500, 503]

const ABOUT = `
Public-interest datasets about one island, read-only and without a key.

- **Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`errors\` names each wrong parameter, what
  is allowed and what may have been meant.
- **Unknown parameters** are ignored and named in the header \`Ignored-Parameters\`; with \`Prefer: handling=strict\` they
  are errors.
- **Caching**: answers have an \`ETag\` and \`Last-Modified\`; ask again with \`If-None-Match\` and get 304 while nothing
  has changed.
- **Paging**: the header \`Link\` has first, prev, next and last.
- **Stability**: \`/v1\` only ever grows; fields, parameters and endpoints are added, never taken away or changed.
`

const SYNTHETIC = `
**This is the synthetic island.** Its places, vehicles and readings are invented: never look for a defibrillator here.
`

/**
 * Documents the app as OpenAPI 3.1, from the same schemas that answers are made by. Register it before the routes.
 */
export async function documentApp(
  app: FastifyInstance,
  options: {
    datasets: readonly { name: string; title: string; description: string }[]
    synthetic: boolean
    baseUrl: string
  },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: options.synthetic ? 'Public Data Service (synthetic island)' : 'Public Data Service',
        version: VERSION,
        summary: "An island's public datasets.",
        description: `${options.synthetic ? SYNTHETIC : ''}${ABOUT}`.trim(),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.baseUrl }],
      security: [],
      tags: options.datasets.map(({ name, title, description }) => ({
        name,
        description: `${title}. ${description}`,
      })),
    } as never,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`),
    },
    transform: ({ schema, url, route }) => ({ schema: withProblems(schema) as never, url, route }) as never,
  })
}

function withProblems(schema: FastifySchema | undefined): object {
  if (schema?.response === undefined) return { ...schema, hide: true }
  const { problems = [], isUnconditional = false, response, ...rest } = schema
  const statuses = [...new Set([...COMMON_PROBLEMS, ...problems])].sort()
  const answers = statuses.map(status => [status, problemResponse(status)])
  return {
    ...rest,
    response: {
      ...(response as object),
      ...(isUnconditional ? {} : { 304: { description: 'Your copy is still good.', type: 'null' } }),
      ...Object.fromEntries(answers),
    },
  }
}

function problemResponse(status: number) {
  const kinds = Object.entries(PROBLEMS).filter(([, problem]) => problem.status === status)
  return {
    description: kinds.map(([code, { title }]) => `${code}: ${title}.`).join(' '),
    content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
  }
}
