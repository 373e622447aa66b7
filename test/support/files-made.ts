import type { Serving } from './serving.ts'
import { until } from './until.ts'

/** Waits until a service has made the files of its current releases for download, which it does in the background. */
export async function filesMade(serving: Pick<Serving, 'get'>, datasets: readonly string[]): Promise<void> {
  for (const name of datasets)
    await until(
      async () => !(await serving.get(`/v1/datasets/${name}/files`)).text.includes('"bytes":null'),
      `the files of ${name}`,
    )
}
