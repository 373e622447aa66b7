import type { Parameters } from '../../http/parameters.ts'
import type { Route } from '../../http/router.ts'
import { integer, listOf, memberOf, oneOf, text } from '../../values/values.ts'
import { type Asked, endpointOf, pick, resultsOf, type Tool } from './tool.ts'

const listDatasets = (names: readonly string[]): Tool => ({
  name: 'list_datasets',
  title: 'List the datasets',
  description: 'Every dataset of this service: what it holds, how many records, and when it was published.',
  parameters: {},
  async call(_given, ask) {
    const results = resultsOf(await ask('/v1/datasets')).map(entry =>
      pick(entry, 'name', 'title', 'description', 'path', 'available', 'records', 'publishedAt'),
    )
    return { datasets: names, data: { results }, total: results.length }
  },
})

const describeDataset = (names: readonly string[]): Tool => ({
  name: 'describe_dataset',
  title: 'Describe a dataset',
  description:
    'The fields of one dataset with their units and values, its area and period, how fresh it is, its endpoints, and what is wrong with some of its records.',
  parameters: { dataset: { type: oneOf(names), description: 'The name of the dataset.' } },
  required: ['dataset'],
  async call({ values: { dataset } }, ask) {
    const described = await ask(`/v1/datasets/${dataset}`)
    const named = pick(described, 'name', 'title', 'description', 'path', 'records', 'freshness')
    const about = pick(described, 'spatial', 'temporal', 'endpoints', 'warnings')
    // Its fields.
    const results = [described.fields].flat()
    return {
      datasets: [String(dataset)],
      data: { ...named, ...about, results },
      total: results.length,
    }
  },
})

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
const forAgents = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !FOR_PROGRAMS.includes(name)))

interface ListTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  /** The datasets that the entries are from. */
  readonly datasets: readonly string[]
  /** The fields to return by default. */
  readonly fields?: readonly string[]
}

/** A tool that selects from a list, by the parameters of its endpoint. */
const listTool = ({ path, parameters }: Asked, { datasets, fields, ...named }: ListTool): Tool => ({
  ...named,
  parameters: { ...forAgents(parameters), limit },
  async call({ values, query }, ask) {
    const most = Number(values.limit)
    if (fields !== undefined && values.fields === undefined) query.set('fields', fields.join(','))
    // For a list without a total, one extra entry shows whether there are more.
    query.set('limit', String(most + 1))
    const { pagination, ...body } = await ask(`${path}?${query}`)
    const results = resultsOf(body).slice(0, most)
    const total = memberOf(pagination, 'totalItems')
    return {
      datasets: namesIn(results) ?? datasets,
      data: { ...body, results },
      total: total === undefined ? undefined : Number(total),
      hasMore: total === undefined && resultsOf(body).length > most,
    }
  },
})

/** The datasets that entries name; undefined without any. */
function namesIn(results: readonly Record<string, unknown>[]): string[] | undefined {
  const names = new Set(results.flatMap(({ dataset }) => (typeof dataset === 'string' ? [dataset] : [])))
  return names.size === 0 ? undefined : [...names]
}

const MOST_GROUPS = 50

const top = {
  type: integer({ minimum: 1, maximum: MOST_GROUPS }),
  default: 10,
  description: 'How many of the largest groups to return; `rest` counts the others together.',
}

const statsPath = (dataset: string): string => `/v1/${dataset}/stats`

/** The tool that counts records, over the datasets with an endpoint for counts; no tool without such an endpoint. */
export function countTools(routes: readonly Route[], names: readonly string[]): Tool[] {
  const counted = names.flatMap(dataset => {
    const operation = routes.find(({ path }) => path === statsPath(dataset))?.operation
    return operation === undefined ? [] : [{ dataset, parameters: forAgents(operation.parameters) }]
  })
  if (counted.length === 0) return []
  const dataset = {
    type: oneOf(counted.map(each => each.dataset)),
    description: 'The name of the dataset.',
  }
  const ofEach = (name: string, description: string) => ({
    type: listOf(text({ maxLength: 100 })),
    description: `${description} ${counted.map(each => `${each.dataset}: ${each.parameters[name]?.type.allowed}.`).join(' ')}`,
  })
  const by = ofEach('by', 'The fields to count by.')
  const measures = ofEach('measures', 'What to give of each group besides its count.')
  const filters: Parameters = Object.assign({}, ...counted.map(each => each.parameters))
  return [
    {
      name: 'count_records',
      title: 'Count records by fields',
      description:
        'How many records there are for each value of one or more fields, largest groups first, with exact totals; and shares of the counts, or sums, means and extremes of numbers. Every filter of the dataset can be combined with it.',
      parameters: { ...filters, dataset, by, measures, top },
      required: ['dataset', 'by'],
      takes(sent) {
        const own = counted.find(each => each.dataset === sent.dataset)?.parameters
        return { ...own, dataset, by: own?.by ?? by, top }
      },
      async call({ values, query }, ask) {
        query.delete('dataset')
        query.set('top', String(values.top))
        const { groups, ...body } = await ask(`${statsPath(String(values.dataset))}?${query}`)
        const data = { ...body, groups, results: resultsOf(body) }
        return { datasets: [String(values.dataset)], data, total: Number(groups) }
      },
    },
  ]
}

const carpark = {
  type: text({ maxLength: 100 }),
  description: 'The id or code of one car park, which then comes with a forecast for two hours.',
}

/** The tool for free parking spaces now. */
const LIVE_PARKING: Tool = {
  name: 'live_parking',
  title: 'Free parking spaces now',
  description:
    'The free spaces of every counted car park, or of one with a forecast. Tell the user the `quality` and age of a count: only `good` ones can be relied on.',
  parameters: { carpark },
  // Agents that know the API send `idOrCode`, the name in its paths.
  takes: () => ({ carpark, idOrCode: carpark }),
  async call({ values: { carpark, idOrCode = carpark } }, ask) {
    const datasets = ['carparks']
    if (idOrCode === undefined) {
      const body = await ask('/v1/carparks/live-spaces?include=quality')
      const { timestamp: observedAt, missing } = body
      return { datasets, data: { observedAt, missing, results: resultsOf(body) } }
    }
    const path = `/v1/carparks/${encodeURIComponent(String(idOrCode))}`
    const live = await ask(`${path}/live`)
    const forecast = pick(await ask(`${path}/forecast`), 'from', 'results', 'reason', 'detail')
    return { datasets, data: { observedAt: live.observedAt, results: [live], forecast } }
  },
}

/** The tools for agents, as far as the service has their endpoints. */
export function createTools(routes: readonly Route[], names: readonly string[]): readonly Tool[] {
  const list = (operationId: string, about: ListTool): Tool[] => {
    const endpoint = endpointOf(routes, operationId)
    return endpoint === undefined ? [] : [listTool(endpoint, about)]
  }
  return [
    listDatasets(names),
    describeDataset(names),
    ...list('listPlaces', {
      name: 'find_places',
      title: 'Find places',
      description:
        'Car parks, public toilets, recycling centres and defibrillators, nearest first with `near`. `minFreeSpaces` selects car parks with so many free spaces now; `service` is of recycling centres, `facility` of toilets.',
      datasets: [],
    }),
    ...(endpointOf(routes, 'listLiveSpaces') === undefined ? [] : [LIVE_PARKING]),
    ...list('listVehicles', {
      name: 'search_vehicles',
      title: 'Search the register of vehicles',
      description:
        'Registered vehicles by make, model, colour, fuel and date of registration, newest first, with the exact total. To count, use `total` or count_records: do not read all entries.',
      datasets: ['vehicles'],
    }),
    ...countTools(routes, names),
    ...list('listProductRecalls', {
      name: 'search_recalls',
      title: 'Search product recalls',
      description: 'Safety warnings and recalls of products, newest first. `websiteUrl` leads to the notice.',
      datasets: ['product-recalls'],
      fields: ['id', 'title', 'brand', 'recallDate', 'problem', 'websiteUrl'],
    }),
  ]
}
