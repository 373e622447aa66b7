import type { Format } from '../../values/format.ts'
import { flag, oneOf } from '../../values/values.ts'
import { isJson, JSON_FORMAT, namesOf } from '../request/negotiation.ts'
import type { Parameters, ValuesOf } from '../request/parameters.ts'
import type { Representation } from '../response/representation.ts'
import { INDENTED, MARKED, reshape } from '../response/reshaping.ts'

/** The parameter that selects one of several formats. */
export function formatParameter(formats: readonly Format[]) {
  const type = oneOf(formats.map(({ name }) => name))
  const allowed = `one of ${namesOf(formats).join(', ')}`
  return {
    // Not a default of the parameter: without it the Accept header decides.
    type: { ...type, allowed, schema: { ...type.schema, default: JSON_FORMAT.name } },
    description:
      'The format of the response. A suffix of the path, such as `.json`, selects it too; without both the Accept header does.',
  }
}

const PRETTY = {
  type: flag(),
  default: false,
  description: 'Indents the response if it is JSON or GeoJSON, for people.',
}

const BOM = {
  type: oneOf(['0', '1']),
  default: '0' as const,
  description: 'A byte order mark before the response if it is CSV: Excel then takes it for UTF-8.',
}

/** The parameters that reshape a body in one of the formats, whatever the endpoint. */
export const shapeParameters = (formats: readonly Format[]): Parameters => ({
  ...(formats.some(isJson) && { pretty: PRETTY }),
  ...(formats.some(({ takesBom }) => takesBom) && { bom: BOM }),
})

/** A representation reshaped as a request asks for it. */
export function shaped(
  representation: Representation,
  format: Format,
  { pretty, bom }: ValuesOf<Parameters>,
): Representation {
  if (pretty === true && isJson(format)) return reshape(representation, INDENTED)
  return bom === '1' && format.takesBom ? reshape(representation, MARKED) : representation
}

/** The name under which a response is saved: its path and its format. */
export function fileNameOf(path: string, params: Readonly<Record<string, string>>, { name }: Format): string {
  const parts = path.split('/').slice(2)
  const filled = parts.map(part => (part.startsWith(':') ? (params[part.slice(1)] ?? '') : part))
  return `${filled.join('-').replace(/[^\w.-]+/g, '_')}.${name}`
}
