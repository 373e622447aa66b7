import type { Client } from 'pg'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'

/**
 * Raises settings of the session that writes a release; a larger setting of the server stays. Sorting in memory is several
 * times as fast, and there is one import at a time. Servers from version 14 on check the connection periodically, so that a
 * long statement of a killed import ends.
 */
export async function raiseSettings(client: Client): Promise<void> {
  for (const [name, value] of [
    ['work_mem', 128 * KIB_A_MIB],
    ['maintenance_work_mem', 512 * KIB_A_MIB],
    ['client_connection_check_interval', 2000],
  ])
    await client.query(
      `select set_config(name, $2, false) from pg_catalog.pg_settings
        where case name when $1 then setting::bigint < $2::bigint end`,
      [name, value],
    )
}

/** The server's units: KiB for memory, milliseconds for time. */
const KIB_A_MIB = 1024

/** Cancels the running statement of a connection. If no other connection can be opened, the statement continues. */
export async function cancelStatement(target: Target, client: Client): Promise<void> {
  // The driver's types leave out the process id of the backend.
  const { host, port, processID } = client as Client & { readonly processID: number | null }
  const other = await connectAlone({ ...target, hosts: [{ host, port }] }).catch(() => undefined)
  await other?.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined)
  await other?.end().catch(() => undefined)
}
