import type { Parameters } from '../../../http/request/parameters.ts'
import { integer, memberOf } from '../../../values/values.ts'
import { inputSchema, readArguments } from '../arguments.ts'
import { type Asked, address, resultsOf, type Tool } from '../tool.ts'

const MOST_RESULTS = 20
const USUAL_RESULTS = 10

/** Parameters that are for programs: agents read one short page, as JSON. */
const FOR_PROGRAMS = ['page', 'cursor', 'format', 'pretty', 'bom']

const limit = {
  type: integer({ minimum: 1, maximum: MOST_RESULTS }),
  default: USUAL_RESULTS,
  description: 'The most entries to return.',
}

/** Removes the parameters of an endpoint that are for programs. */
export const forAgents = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !FOR_PROGRAMS.includes(name)))

/** A tool that selects from a list, by the parameters of its endpoint. */
export function listTool(
  { path, parameters }: Asked,
  about: Pick<Tool, 'name' | 'title' | 'description'> & {
    /** The datasets that the entries are from. */
    readonly datasets: readonly string[]
    /** The fields to return where the agent names none. */
    readonly fields?: readonly string[]
  },
): Tool {
  const { datasets, fields, ...named } = about
  const taken: Parameters = { ...forAgents(parameters), limit }
  return {
    ...named,
    input: () => inputSchema(taken, []),
    async call(sent, ask) {
      const { values, canonical } = readArguments(taken, sent)
      const most = Number(values.limit)
      const query = new URLSearchParams(canonical)
      if (fields !== undefined && values.fields === undefined) query.set('fields', fields.join(','))
      // A list without a total tells by one entry more whether there are more.
      query.set('limit', String(most + 1))
      const { pagination, ...body } = await ask(address(path, String(query)))
      const results = resultsOf(body).slice(0, most)
      const total = memberOf(pagination, 'totalItems')
      return {
        datasets: namesIn(results) ?? datasets,
        data: { ...body, results },
        ...(total === undefined ? { hasMore: resultsOf(body).length > most } : { total: Number(total) }),
      }
    },
  }
}

/** The datasets that entries name; undefined where they name none. */
function namesIn(results: readonly Record<string, unknown>[]): string[] | undefined {
  const names = new Set(results.flatMap(({ dataset }) => (typeof dataset === 'string' ? [dataset] : [])))
  return names.size === 0 ? undefined : [...names]
}
