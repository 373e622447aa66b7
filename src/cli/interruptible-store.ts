import type { Staging, Store } from '../store/store.ts'

/** A store for one import, which can be dropped at any moment before it publishes. */
export interface InterruptibleStore {
  readonly store: Store
  /** Drops what is staged. False: it is being published, too late to stop; let the import end. */
  interrupt(): Promise<boolean>
}

/** Watches over the release that an import stages in the store. */
export function interruptibleStore(store: Store): InterruptibleStore {
  let staged: Staging | undefined
  let publishing = false
  let interrupted = false
  const stage: Store['stage'] = async (...of) => {
    const staging = await store.stage(...of)
    staged = staging
    return {
      append: (key, record) => staging.append(key, record),
      seal: onPhase => staging.seal(onPhase),
      changesSince: release => staging.changesSince(release),
      discard: () => staging.discard(),
      async publish(details) {
        if (interrupted) throw new Error('interrupted')
        publishing = true
        return await staging.publish(details)
      },
    }
  }
  return {
    store: new Proxy(store, {
      get(target, name) {
        if (name === 'stage') return stage
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
    async interrupt() {
      if (publishing) return false
      interrupted = true
      await staged?.discard()
      return true
    },
  }
}
