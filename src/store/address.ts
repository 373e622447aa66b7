import { StoreUnusableError } from './store.ts'

/**
 * Gives what the engine of an address is to be opened by, and what follows the colon. Throws {@link StoreUnusableError}
 * where there is no such engine.
 */
export function engineOf<Open>(
  engines: Readonly<Record<string, Open>>,
  databaseUrl: string,
): { open: Open; address: string } {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/s.exec(databaseUrl) ?? []
  const open = Object.hasOwn(engines, scheme) ? engines[scheme] : undefined
  // Nothing but the scheme is shown: an address may hold a password.
  if (open === undefined || address === '')
    throw new StoreUnusableError(
      'a store\'s address is "sqlite:" and the path of a folder, such as sqlite:./data, or ' +
        `postgres://user:password@host/database${scheme && `; "${scheme}:" is neither`}`,
    )
  return { open, address }
}

/** What follows the scheme of the address of servers to read from. Throws {@link StoreUnusableError} for other engines. */
export function afterScheme(readUrl: string): string {
  const [, address] = /^postgres(?:ql)?:(.*)$/s.exec(readUrl) ?? []
  if (address === undefined)
    throw new StoreUnusableError(
      'the address to read from (DATABASE_READ_URL) is postgres://user:password@host,host/database',
    )
  return address
}

/** A folder is read where it is written. */
export function refuseReadUrl(readUrl: string | undefined): void {
  if (readUrl !== undefined)
    throw new StoreUnusableError(
      'DATABASE_READ_URL is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
    )
}
