import { v5 } from 'uuid'

/** The namespace of all entries. Never change it: feed readers would show everything as new. */
const NAMESPACE = '0a9d1c34-6f0e-4f6b-8c55-3c1f5f3f8a1e'

/** The id of an entry (RFC 4287 4.2.6): the same for the same names, wherever the service is. */
export const entryId = (...names: readonly string[]): string => `urn:uuid:${v5(names.join('\n'), NAMESPACE)}`
