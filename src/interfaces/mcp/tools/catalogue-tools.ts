import { oneOf } from '../../../values/values.ts'
import { inputSchema, readArguments } from '../arguments.ts'
import { resultsOf, type Tool } from '../tool.ts'

/** The tools that tell what there is. */
export function catalogueTools(names: readonly string[]): Tool[] {
  return [listDatasets(names), describeDataset(names)]
}

const listDatasets = (names: readonly string[]): Tool => ({
  name: 'list_datasets',
  title: 'List the datasets',
  description: 'Every dataset of this service: what it holds, how many records, and when it was published.',
  input: () => inputSchema({}, []),
  async call(sent, ask) {
    readArguments({}, sent)
    const results = resultsOf(await ask('/v1/datasets')).map(
      ({ name, title, description, path, available, records, publishedAt }) => ({
        ...{ name, title, description, path, available, records, publishedAt },
      }),
    )
    return { datasets: names, data: { results }, total: results.length }
  },
})

function describeDataset(names: readonly string[]): Tool {
  const parameters = { dataset: { type: oneOf(names), description: 'The name of the dataset.' } }
  const required = ['dataset']
  return {
    name: 'describe_dataset',
    title: 'Describe a dataset',
    description:
      'The fields of one dataset with their units and values, its area and period, how fresh it is, its endpoints, and what is wrong with some of its records.',
    input: () => inputSchema(parameters, required),
    async call(sent, ask) {
      const { values } = readArguments(parameters, sent, required)
      const { fields, ...described } = await ask(`/v1/datasets/${values.dataset}`)
      const { name, title, description, path, records, freshness, spatial, temporal } = described
      const { endpoints, warnings } = described
      const results = [fields].flat()
      return {
        datasets: [String(values.dataset)],
        data: {
          ...{ name, title, description, path, records, freshness, spatial, temporal, endpoints, warnings },
          // Its fields.
          results,
        },
        total: results.length,
      }
    },
  }
}
