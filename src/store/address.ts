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
