import { Rejection } from '../importable.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A UUID in lower case. */
export function conformUuid(raw: unknown, field: string): string {
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
  if (!UUID.test(text))
    throw new Rejection(field, raw, 'must be a UUID such as 03d8bf66-e451-4a20-b3e5-96f8c1293f2c')
  return text
}
