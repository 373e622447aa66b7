/** A text or bytes in pieces of one length, as they may arrive. */
export async function* pieces<T extends { length: number; slice(from: number, to: number): T }>(
  whole: T,
  length: number,
): AsyncGenerator<T> {
  for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length)
}
