/** The bytes of a release are not those that were published. */
export class DamagedReleaseError extends Error {
  override name = 'DamagedReleaseError'
}

/** Another process is writing a release. */
export class StoreBusyError extends Error {
  override name = 'StoreBusyError'
}

/** No stored release has that number. */
export class UnknownReleaseError extends Error {
  override name = 'UnknownReleaseError'
}

/** The store cannot be opened or written: the message gives the cause and the remedy. */
export class StoreUnusableError extends Error {
  override name = 'StoreUnusableError'
}

/** There is no store at the address. */
export class NoStoreError extends Error {
  override name = 'NoStoreError'
}
