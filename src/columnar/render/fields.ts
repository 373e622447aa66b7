import type { Column, TableLayout } from '../../store/layout.ts'
import { firstWhere } from '../indexes/bits.ts'
import type { Codes, LoosePart, OrderPart, Parts, Texts } from '../indexes/table-data.ts'
import { asBytes, piecesOf } from './texts.ts'

/** Parts with all that rows are put together from. */
export type LooseParts = Parts & { readonly content: LoosePart }

/** Gives a row's share of JSON in one column: what stands before its name, the name, and the value. */
export type Field = (row: number) => string

/** Gives the fields whose texts, one after another and with a brace at the end, are a row, bytes as characters. */
export function fieldsOf(layout: TableLayout, parts: LooseParts): Field[] {
  return layout.columns.map((column, i) => fieldOf(prefixOf(column, i === 0), sourceOf(column, parts)))
}

/** Gives what stands before each value of a column, each byte of its UTF-8 as a character. */
export function prefixOf({ name }: Column, isFirst: boolean): string {
  return asBytes(`${isFirst ? '{' : ','}${JSON.stringify(name)}:`)
}

/** Puts fields of a row together. */
export function joinFields(fields: readonly Field[], row: number): string {
  let text = ''
  for (let i = 0; i < fields.length; i++) text += (fields[i] as Field)(row)
  return text
}

/** What the values of a column are: texts, by codes or by the stretches of the ordering day; or digests. */
export type Source =
  | { readonly kind: 'coded'; readonly codes: Codes; readonly texts: Texts }
  | { readonly kind: 'ordering'; readonly order: OrderPart; readonly texts: Texts }
  | { readonly kind: 'digests'; readonly bytes: Uint8Array }

export function sourceOf({ name, type }: Column, parts: LooseParts): Source {
  const named = <T extends { name: string }>(all: readonly T[]): T => {
    const part = all.find(one => one.name === name)
    if (part === undefined) throw new Error(`column "${name}" is not held`)
    return part
  }
  if (type === 'digest') return { kind: 'digests', bytes: named(parts.content.digests).bytes }
  if (type === 'number') return { kind: 'coded', ...named(parts.content.numbers) }
  if (type === 'word') return { kind: 'coded', ...named(parts.words) }
  const texts = parts.content.dayTexts.get(name)
  if (texts === undefined) throw new Error(`column "${name}" is not held`)
  if (name === parts.order.name) return { kind: 'ordering', order: parts.order, texts }
  return { kind: 'coded', codes: named(parts.days).codes, texts }
}

function fieldOf(prefix: string, source: Source): Field {
  if (source.kind === 'digests') return digestField(prefix, source.bytes)
  const pieces = piecesOf(prefix, source.texts)
  if (source.kind === 'ordering') {
    const { order } = source
    return row => pieces(dayAt(order, row))
  }
  const { codes } = source
  return row => pieces(codes[row] as number)
}

/** Gives the place of a row's day among those that rows are ordered by; their number where it has none. */
export function dayAt({ days, starts }: OrderPart, row: number): number {
  return firstWhere(0, days.length, day => (starts[day + 1] as number) > row)
}

/** SHA-256. */
export const DIGEST_BYTES = 32

function digestField(prefix: string, bytes: Uint8Array): Field {
  const digests = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return row => `${prefix}"${digests.toString('hex', row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES)}"`
}
