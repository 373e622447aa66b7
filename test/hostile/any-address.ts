import fc from 'fast-check'
import type { JsonSchema, OpenApiParameter } from '../support/openapi.ts'

/** Values for parameters that no model knows: their examples and words, numbers and noise. */
const anyValue = ({ example, schema }: OpenApiParameter): fc.Arbitrary<string> => {
  const words = [schema.enum, (schema.items as JsonSchema | undefined)?.enum].flatMap(list => list ?? [])
  return fc.oneof(
    fc.constantFrom(...[example ?? 1, ...words].map(String)),
    fc.constantFrom(
      '49.2,-2.1',
      '-2.2,49,-2,49.3',
      '-1',
      '0',
      '2',
      '1e9',
      '2024-02-30',
      '2024-01-01',
      '*',
      '',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }).map(text => text.toWellFormed()),
  )
}

/** Addresses of an operation with some of its parameters. */
export const anyAddress = (path: string, parameters: readonly OpenApiParameter[]): fc.Arbitrary<string> => {
  const queried = parameters.filter(parameter => parameter.in === 'query')
  if (queried.length === 0) return fc.constant(path)
  const pair = fc
    .constantFrom(...queried)
    .chain(parameter => anyValue(parameter).map(value => `${parameter.name}=${encodeURIComponent(value)}`))
  return fc.array(pair, { maxLength: 4 }).map(pairs => `${path}?${pairs.join('&')}`)
}
