import { LONGEST_ROW } from './limits.ts'
import { Refusal } from './source-row.ts'

/**
 * Reads the first line with text, or its start where it is longer than a row may be; `whole` yields all of the text. Throws
 * {@link Refusal} if there is none.
 */
export async function withFirstLine(
  text: AsyncGenerator<string>,
): Promise<{ line: string; whole: AsyncGenerator<string> }> {
  let head = ''
  // Searches each piece once: to search the whole head again would take quadratic time.
  let start = -1
  for (let one = await text.next(); !one.done; one = await text.next()) {
    const before = head.length
    head += one.value
    if (start === -1) {
      const found = one.value.search(/\S/)
      if (found !== -1) start = before + found
    }
    const hasEnd = start !== -1 && one.value.includes('\n', Math.max(0, start - before))
    if (hasEnd || head.length > LONGEST_ROW) break
  }
  if (start === -1 && head.length > LONGEST_ROW)
    throw new Refusal(
      `the source starts with more than ${LONGEST_ROW} blanks; remove the empty space before its header`,
    )
  if (start === -1) throw new Refusal('the source is empty; nothing was read from it')
  async function* whole() {
    yield head
    yield* text
  }
  return { line: head.slice(start).split('\n', 1)[0] ?? '', whole: whole() }
}
