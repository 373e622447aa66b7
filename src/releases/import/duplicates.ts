import { hash } from 'node:crypto'

/** Finds an earlier record of the same key: its line, and whether its content is the same. */
export type FindDuplicate = (
  key: string,
  line: number,
  content: string,
) => { readonly line: number; readonly isSame: boolean } | undefined

/** Keeps a digest of each record rather than its content, so that a large source costs little memory. */
export function createFindDuplicate(): FindDuplicate {
  const known = new Map<string, { line: number; digest: string }>()
  return (key, line, content) => {
    const digest = hash('sha256', content, 'base64')
    const first = known.get(key)
    if (first !== undefined) return { line: first.line, isSame: first.digest === digest }
    known.set(key, { line, digest })
    return undefined
  }
}
