import { Option } from 'commander'
import { SourceOptions } from '../sources/source-options.ts'

const FLAGS = {
  delimiter: '--delimiter <character>',
  listSeparator: '--list-separator <character>',
  encoding: '--encoding <name>',
  sheet: '--sheet <name>',
} as const satisfies Record<keyof SourceOptions, string>

/** The option of the command line for one member of {@link SourceOptions}, with the description and values of its schema. */
export function readingOption(name: keyof SourceOptions): Option {
  const schema: object = SourceOptions.properties[name]
  const { description, enum: values }: { description?: string; enum?: string[] } = schema
  const option = new Option(FLAGS[name], description)
  return values === undefined ? option : option.choices(values)
}
