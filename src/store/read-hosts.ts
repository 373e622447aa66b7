import { afterScheme, engineOf, refuseReadUrl } from './address.ts'

/** One of the hosts that releases are read from: how far it lags, or why it is unavailable. */
export type ReadHost = { readonly host: string } & (
  | {
      readonly isStandby: boolean
      /** How much of the primary's log it has not applied yet; undefined if unknown. */
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

/** Checks each host that releases of a store are read from. Throws {@link StoreUnusableError} for an invalid address. */
export async function lookAtReadHosts(databaseUrl: string, readUrl: string): Promise<ReadHost[]> {
  const { open, address } = engineOf(ENGINES, databaseUrl)
  return open(address, readUrl)
}
