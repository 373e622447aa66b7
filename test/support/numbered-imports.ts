import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CARPARKS } from './island.ts'
import { recallsOf, toiletsOf } from './numbered-releases.ts'
import type { NumberedRegister } from './numbered-vehicles.ts'
import { type Ended, pds, startPds } from './pds.ts'

/** Datasets whose releases tell their number. */
export type Numbered = 'vehicles' | 'toilets' | 'product-recalls'

/** Imports with the command, into the store of the environment. */
export interface NumberedImports {
  /** Publishes a dataset's next release; gives its number, and how long that took in seconds. */
  publish(dataset: Numbered): Promise<{ number: number; seconds: number }>
  /** Tries to publish a dataset's next release; one that failed is tried again by the next. */
  tryToPublish(dataset: Numbered): Promise<{ isPublished: boolean }>
  /** Starts to import a dataset's next release. Unless it is killed, nothing else may import that. */
  startNext(dataset: Numbered): ChildProcessWithoutNullStreams
  /** Imports text, with more options, and tells what came of it. */
  importText(dataset: string, text: string | Buffer, options?: readonly string[]): Promise<Ended>
}

/** Publishes the first releases of vehicles, toilets and car parks. `folder` is for sources. */
export async function startNumberedImports(
  folder: string,
  environment: Readonly<Record<string, string>>,
  register: NumberedRegister,
): Promise<NumberedImports> {
  const numbers = { vehicles: 0, toilets: 0, 'product-recalls': 0 }
  const text = (dataset: Numbered, number: number): string =>
    dataset === 'vehicles'
      ? register.csv(number)
      : JSON.stringify({ results: dataset === 'toilets' ? toiletsOf(number) : recallsOf(number) })

  async function importText(dataset: string, text: string | Buffer, options: readonly string[] = []) {
    const file = join(folder, dataset)
    await writeFile(file, text)
    return pds(folder, ['import', dataset, file, ...options], { environment })
  }

  async function publish(dataset: string, text: string): Promise<number> {
    const began = performance.now()
    const { status, stdout, stderr } = await importText(dataset, text, ['--force'])
    if (status !== 0) throw new Error(`importing ${dataset}: ${stdout} ${stderr}`)
    return (performance.now() - began) / 1000
  }

  const imports: NumberedImports = {
    importText,
    async publish(dataset) {
      const number = numbers[dataset] + 1
      const seconds = await publish(dataset, text(dataset, number))
      numbers[dataset] = number
      return { number, seconds }
    },
    async tryToPublish(dataset) {
      const { status } = await importText(dataset, text(dataset, numbers[dataset] + 1), ['--force'])
      if (status === 0) numbers[dataset]++
      return { isPublished: status === 0 }
    },
    startNext(dataset) {
      const child = startPds(folder, ['import', dataset, '-', '--force'], environment)
      for (const output of [child.stdout, child.stderr]) output.resume()
      child.stdin.on('error', () => {})
      child.stdin.end(text(dataset, numbers[dataset] + 1))
      return child
    },
  }
  await publish('carparks', JSON.stringify({ results: CARPARKS }))
  await imports.publish('toilets')
  await imports.publish('vehicles')
  return imports
}
