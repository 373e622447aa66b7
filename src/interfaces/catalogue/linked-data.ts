import type { Metadata } from '../../datasets/metadata.ts'
import type { DatasetDescription } from './catalogue.ts'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** What every vocabulary says of the service. */
export interface ServiceDescription {
  readonly title: string
  readonly description: string
  readonly publisher: string
  readonly contact: DatasetDescription['contact']
  /** The public base address, without a trailing slash. */
  readonly baseUrl: string
}

/** Describes the service; where the operator states nothing, it says the least that vocabularies ask for. */
export function describeService(metadata: Metadata, baseUrl: string): ServiceDescription {
  const {
    title,
    description = 'Public datasets of the island.',
    publisher = title,
    contact = null,
  } = metadata
  return { title, description, publisher, contact, baseUrl }
}

/** What a dataset holds; of invented data it begins with that. */
export const statement = ({ description, synthetic }: DatasetDescription): string =>
  synthetic ? `Invented data of a synthetic island. ${description}` : description
