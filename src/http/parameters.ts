import { type ParameterError, Problem } from '../errors.ts'
import { nearestOf, ownText } from '../values/text.ts'
import { NotAllowed, type Parameter, type ValueType } from '../values/values.ts'
import { type ParsedRequest, splitQuery } from './request.ts'

/** The most parameters that a response names, so that its headers and body stay small. */
const MAX_NAMED = 10

export type Parameters = Readonly<Record<string, Parameter>>

/** The values of declared parameters; one without a default may be undefined. */
export type ValuesOf<P extends Parameters> = {
  readonly [N in keyof P]: P[N] extends { readonly default: infer D; readonly type: ValueType<infer T> }
    ? D extends undefined
      ? T | undefined
      : T
    : P[N] extends Parameter<infer T>
      ? T | undefined
      : never
}

interface ParsedQuery<P extends Parameters> {
  readonly values: ValuesOf<P>
  /** The canonical form of equivalent queries: declared order, defaults left out. */
  readonly canonical: string
  /** The first undeclared parameters, each with the declared one that the client may have meant. */
  readonly unknown: readonly UnknownParameter[]
}

/**
 * Creates a parser of query strings with the declared parameters. An empty value counts as not sent, because forms send their
 * empty fields. It throws the problem INVALID_PARAMETER, which names the wrong parameters: not allowed, sent twice, or not
 * decodable.
 */
export function queryReader<P extends Parameters>(parameters: P): (queryString: string) => ParsedQuery<P> {
  const declared = Object.entries(parameters).map(([name, parameter]) => ({
    name,
    parameter,
    fallback: parameter.default === undefined ? '' : parameter.type.format(parameter.default),
  }))
  const nearestKnown = nearestOf(Object.keys(parameters))
  return queryString => {
    const sent = new Map<string, string>()
    const errors: ParameterError[] = []
    const unknown = new Set<string>()
    for (const { name, value } of splitQuery(queryString, errors)) {
      if (!Object.hasOwn(parameters, name)) unknown.add(name)
      else if (value === '') continue
      else if (sent.has(name)) errors.push(sentTwice(name, value))
      // A cached response may keep the value: a slice would keep the whole query in memory.
      else sent.set(name, ownText(value))
    }
    const values: Record<string, unknown> = {}
    let canonical = ''
    for (const { name, parameter, fallback } of declared) {
      const value = read(name, parameter, sent.get(name), errors)
      values[name] = value
      if (value === undefined || value === parameter.default) continue
      // Compared as text, because equal lists are different objects.
      const text = parameter.type.format(value)
      if (text !== fallback) canonical += `${canonical && '&'}${encoded(name)}=${encoded(text)}`
    }
    if (errors.length > 0) throw invalidParameters(errors)
    const named = [...unknown].slice(0, MAX_NAMED)
    return {
      values: values as ValuesOf<P>,
      canonical,
      unknown: named.map(name => ({ name, nearest: nearestKnown(name) })),
    }
  }
}

const sentTwice = (parameter: string, value: string): ParameterError => ({
  parameter,
  value: shown(value),
  detail: 'is given more than once',
  allowed: 'once',
})

/** A name or value as URLSearchParams writes it. */
function encoded(text: string): string {
  return /^[\w.*-]*$/.test(text) ? text : new URLSearchParams([['', text]]).toString().slice(1)
}

/** The problem for wrong parameters. Its detail names the first of them. */
export function invalidParameters(all: readonly ParameterError[]): Problem {
  const errors = first(all)
  const detail = errors.map(error => `${error.parameter} ${error.detail}`).join('; ')
  return new Problem('INVALID_PARAMETER', detail + andMore(all.length - errors.length), { errors })
}

/** The most bytes of errors in a problem. Its detail repeats most of them, so the body stays below 8 KB. */
const MAX_ERROR_BYTES = 3000

/** The first errors, up to the limits of a response. */
function first(errors: readonly ParameterError[]): readonly ParameterError[] {
  if (errors.length === 1) return errors
  let bytes = 0
  const tooMany = errors.findIndex((error, index) => {
    bytes += Buffer.byteLength(JSON.stringify(error))
    return index >= MAX_NAMED || (index > 0 && bytes > MAX_ERROR_BYTES)
  })
  return tooMany < 0 ? errors : errors.slice(0, tooMany)
}

const andMore = (count: number): string => (count > 0 ? `; and ${count} more` : '')

function read(
  name: string,
  { type, default: fallback }: Parameter,
  text: string | undefined,
  errors: ParameterError[],
) {
  if (text === undefined) return fallback
  try {
    return type.parse(text)
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    errors.push({
      parameter: name,
      value: shown(text),
      detail: error.message,
      allowed: type.allowed,
      nearest: error.nearest,
    })
    return undefined
  }
}

const shown = (value: string) => value.slice(0, 100)

/** Whether the request asks for `Prefer: handling=strict` (RFC 7240 4.4). */
export function prefersStrict(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',')
  return preferences.some(preference => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}

type UnknownParameter = { readonly name: string; readonly nearest: string | undefined }

/**
 * Names unknown parameters in the header Ignored-Parameters, each with the known one that the client may have meant. Throws the
 * problem UNKNOWN_PARAMETER instead under `Prefer: handling=strict`, or if the endpoint refuses unknown parameters.
 */
export function reportUnknownParameters(
  { headers, responseHeaders }: Pick<ParsedRequest, 'headers' | 'responseHeaders'>,
  unknown: readonly UnknownParameter[],
  known: readonly string[],
  refuses = false,
): void {
  const strict = headers.prefer !== undefined && prefersStrict(headers.prefer)
  if (strict) responseHeaders.push('preference-applied', 'handling=strict')
  if (unknown.length === 0) return
  if (strict || refuses) throw unknownParameters(unknown, known)
  responseHeaders.push('ignored-parameters', unknown.map(headerItem).join(', '))
}

function unknownParameters(unknown: readonly UnknownParameter[], known: readonly string[]): Problem {
  const allowed = known.length > 0 ? `one of ${known.join(', ')}` : 'no parameters'
  const all = unknown.map(({ name, nearest }) => ({
    parameter: name.slice(0, 100),
    detail: 'is not a parameter of this endpoint',
    allowed,
    nearest,
  }))
  const errors = first(all)
  return new Problem('UNKNOWN_PARAMETER', `Unknown parameters: ${errors.map(e => e.parameter).join(', ')}`, {
    errors,
  })
}

/** A name may contain any character; percent-encoding makes it valid in a header. */
function headerItem({ name, nearest }: UnknownParameter): string {
  const item = encodeURIComponent(name.slice(0, 50).toWellFormed())
  return nearest === undefined ? item : `${item};nearest=${nearest}`
}
