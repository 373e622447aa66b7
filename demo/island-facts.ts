import { createHash } from 'node:crypto'

/** The source of the synthetic island's releases. */
export const ISLAND_NAME = 'synthetic island'

/** The seed of the island that the demo serves. */
export const DEMO_SEED = 2718

/** The last day of the island's data. Fixed, so that the same seed gives the same bytes on any day. */
export const LAST_DAY = '2025-12-31'

/** The creation time of every record of the island. */
export const CREATED_AT = '2024-01-15T09:00:00.000Z'

/**
 * The id of the island's n-th record of a kind: a UUID version 8 (RFC 9562 5.8). Publishers issue version 4 and this
 * service generates version 5, so no id of the island ever equals the id of a real record.
 */
export function islandId(seed: number, kind: string, index: number): string {
  const bytes = createHash('sha256')
    .update(`${ISLAND_NAME}/${seed}/${kind}/${index}`)
    .digest()
    .subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Invented owners. */
export const OWNER_NAMES = [
  'Council of the Synthetic Island',
  'Fable Harbours',
  'Unicorn Waterfront Company',
  'Mirage Homes',
] as const

/** An owner in the form of the sources. The first owners own the most. */
export function islandOwner(seed: number, index: number): { id: string; name: string } {
  const name = OWNER_NAMES[index]
  if (name === undefined) throw new RangeError(`the island has no owner ${index}`)
  return { id: islandId(seed, 'owner', index), name }
}
