/* The parts of an OpenAPI 3.1 document in the reference. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string | null
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly 'x-unit'?: string
  readonly 'x-enumDescriptions'?: Readonly<Record<string, string>>
}

export interface Parameter {
  readonly $ref?: string
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, Response>>
}

/** The description of the service for machines. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

/** An operation with its path. */
export interface PathOperation extends Operation {
  readonly path: string
}

/** Every operation in the document's order. */
export const operationsOf = ({ paths }: OpenApi): readonly PathOperation[] =>
  Object.entries(paths).flatMap(([path, { get }]) => (get === undefined ? [] : [{ ...get, path }]))

/** The parameters of an operation, with references resolved. */
export const parametersOf = ({ components }: OpenApi, { parameters = [] }: Operation): readonly Parameter[] =>
  parameters.map(parameter => resolved(components.parameters, parameter))

/** The part of the document that a reference names, or the part itself. */
export const resolved = <Part extends { readonly $ref?: string }>(
  parts: Readonly<Record<string, Part>> | undefined,
  part: Part,
): Part => parts?.[part.$ref?.split('/').at(-1) ?? ''] ?? part
