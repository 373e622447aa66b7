import { StoreUnusableError } from './store.ts'

/**
 * Selects the engine of an address, and returns it with what follows the colon. Throws {@link StoreUnusableError} for
 * an unknown engine.
 */
export function engineOf<Open>(
  engines: Readonly<Record<string, Open>>,
  databaseUrl: string,
): { open: Open; address: string } {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/s.exec(databaseUrl) ?? []
  const open = Object.hasOwn(engines, scheme) ? engines[scheme] : undefined
  // The message shows only the scheme: an address may contain a password.
  if (open === undefined || address === '')
    throw new StoreUnusableError(
      'a store\'s address is "sqlite:" and the path of a folder, such as sqlite:./data, or ' +
        `postgres://user:password@host/database${scheme && `; "${scheme}:" is neither`}`,
    )
  return { open, address }
}

/** What follows the scheme of the address of read hosts. Throws {@link StoreUnusableError} for other engines. */
export function afterScheme(readUrl: string): string {
  const [, address] = /^postgres(?:ql)?:(.*)$/s.exec(readUrl) ?? []
  if (address === undefined)
    throw new StoreUnusableError(
      'the address to read from (DATABASE_READ_URL) is postgres://user:password@host,host/database',
    )
  return address
}

/** A folder has no read hosts of its own. */
export function refuseReadUrl(readUrl: string | undefined): void {
  if (readUrl !== undefined)
    throw new StoreUnusableError(
      'DATABASE_READ_URL is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
    )
}
