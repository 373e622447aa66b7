import { storeOptions } from '../../store/engine.ts'
import { openStore } from '../../store/open-store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { type DefineCommand, Refused } from '../cli.ts'
import { print } from '../output/print.ts'

/** `pds migrate`: creates the store, or adds the tables of this version, as opening a store does for a user who may. */
export const defineCommand: DefineCommand = (command, cli) => {
  command.description('create the store, or add the tables of this version to it').action(async () => {
    const config = cli.config()
    const store = await openStore(config.DATABASE_URL, storeOptions(config))
    const [degraded] = store.degraded()
    await store.close()
    if (degraded !== undefined) throw new Refused(degraded.detail)
    print(`${shownAddress(config.DATABASE_URL)}: ready for this version`)
  })
}
