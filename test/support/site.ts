import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { freePort } from './free-port.ts'
import { type Start, startPds, TEST_WORKERS } from './pds.ts'
import { cluster } from './postgres.ts'
import { publish } from './service.ts'
import { type Serving, watchServing } from './serving.ts'
import { until } from './until.ts'

/** A folder with a store in `data`, and the processes that a test starts on it. All of it goes with the test. */
export interface Site {
  readonly folder: string
  /** The folder of the store. */
  readonly data: string
  /** The site's store, opened in the test's own process, which is another one than the server's. */
  readonly store: Store
  /** Publishes records or text as a dataset's next release. */
  publish(dataset: string, content: readonly object[] | string): ReturnType<typeof publish>
  /** Starts a `pds` command, which is killed at the end if it still runs. */
  start(
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
    how?: Start,
  ): ChildProcessWithoutNullStreams
  /** Starts `pds serve`, or another command that serves, on free ports and waits until it listens. */
  serve(
    environment?: Readonly<Record<string, string>>,
    words?: readonly string[],
    how?: Start,
  ): Promise<Serving>
}

/** Makes a site. `root` is the folder to make it in, such as a small disk. */
export async function makeSite(t: TestContext, root: string = tmpdir()): Promise<Site> {
  const folder = await mkdtemp(join(root, 'pds-site-'))
  return siteAt(t, folder, await openStore(`sqlite:${join(folder, 'data')}`))
}

/** Makes a site on PostgreSQL whose vehicles are queried by SQL, and gives the address of its store as well. */
export async function makeSqlSite(t: TestContext): Promise<Site & { readonly address: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'pds-site-'))
  const address = await (await cluster()).emptyDatabase()
  const store = await openStore(address, { tables: { engine: 'sql', prerenderBytes: 0 } })
  return { ...siteAt(t, folder, store, { DATABASE_URL: address, TABLE_ENGINE: 'sql' }), address }
}

function siteAt(
  t: TestContext,
  folder: string,
  store: Store,
  settings: Readonly<Record<string, string>> = {},
): Site {
  const data = join(folder, 'data')
  const children: ChildProcessWithoutNullStreams[] = []
  t.after(async () => {
    await Promise.all(children.map(kill))
    await store.close()
    // A worker of a killed primary may still write as it ends.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const start: Site['start'] = (words, environment = {}, how = {}) => {
    const child = startPds(folder, words, { ...settings, ...environment }, how)
    children.push(child)
    return child
  }
  return {
    folder,
    data,
    store,
    start,
    publish: (dataset, content) => publish(store, dataset, content),
    async serve(environment = {}, words = ['serve'], how = {}) {
      const ports = { PORT: '0', ADMIN_PORT: String(await freePort()) }
      const serving = await watchServing(t, start(words, { ...ports, ...environment }, how))
      // It listens with its first worker.
      const isWhole = async () => !(await serving.admin('/readyz')).text.includes('"workers"')
      if (TEST_WORKERS > 1 && serving.adminUrl !== '') await until(isWhole, 'all workers')
      return serving
    },
  }
}

/** Ends a process at once, by its id, and waits until it is gone. */
export async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
