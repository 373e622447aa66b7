import { afterScheme, engineOf, refuseReadUrl } from './address.ts'

/** One of the hosts that releases are read from: how far it is, or why it cannot be asked. */
export type ReadHost = { readonly host: string } & (
  | {
      readonly isStandby: boolean
      /** What it has not shown yet of what the primary has written; undefined where that cannot be told. */
      readonly bytesBehind: number | undefined
    }
  | { readonly failure: string }
)

type Look = (address: string, readUrl: string) => Promise<ReadHost[]>

const lookAtPostgres: Look = async (address, readUrl) => {
  const { lookAtPostgresReadHosts } = await import('./postgres/connect/read-hosts.ts')
  return lookAtPostgresReadHosts(address, afterScheme(readUrl))
}

const ENGINES: Readonly<Record<string, Look>> = {
  async sqlite(_folder, readUrl) {
    refuseReadUrl(readUrl)
    return []
  },
  postgres: lookAtPostgres,
  postgresql: lookAtPostgres,
}

/** Looks at each host that releases of a store are read from. Throws {@link StoreUnusableError} for a wrong address. */
export async function lookAtReadHosts(databaseUrl: string, readUrl: string): Promise<ReadHost[]> {
  const { open, address } = engineOf(ENGINES, databaseUrl)
  return open(address, readUrl)
}
