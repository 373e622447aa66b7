import type { Readable } from 'node:stream'
import { readAddress } from '../sources/fetch/source-address.ts'
import { shownAddress } from '../values/addresses/shown-address.ts'
import { UsageError } from './cli.ts'

/** Throws {@link UsageError} for an address that cannot be fetched, and for `--allow-private` with anything else. */
export function requireSource(text: string, allowPrivate: boolean | undefined): void {
  const isAddress = text.includes('://')
  if (isAddress && !isWebAddress(text))
    throw new UsageError(
      `${shownAddress(text)} cannot be fetched: name a file, or an address with http:// or https://`,
    )
  if (allowPrivate && !isAddress) throw new UsageError('--allow-private is for addresses alone')
}

/** The source that an argument names: a file or standard input; or what an address has, under a name without secrets. */
export function sourceNamed(
  text: string,
  options: { readonly allowPrivate: boolean | undefined; readonly signal: AbortSignal },
): { readonly source: string; readonly input?: Readable } {
  return isWebAddress(text)
    ? { source: shownAddress(text), input: readAddress(text, options) }
    : { source: text }
}

const isWebAddress = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)
