import type { DatasetContext, Operation } from '../../datasets/dataset.ts'
import { fieldsOf } from '../../query/fields.ts'
import { fieldParameters } from '../../query/parameters/field-parameters.ts'
import type { FieldParameters } from '../../query/parameters/query-parameter.ts'

const NONE: readonly string[] = []

/** The filter parameters of an operation: those derived from the dataset's fields, unless it declares its own. */
export function parametersOf(
  { dataset, snapshotIfAny }: DatasetContext,
  { parameters = derived => derived }: Pick<Operation, 'parameters'>,
): FieldParameters {
  const derived = fieldParameters(fieldsOf(dataset.record), {
    noun: dataset.noun ?? dataset.name.replaceAll('-', ' '),
    heldValues: field => snapshotIfAny()?.heldValues[field] ?? NONE,
  })
  return parameters(derived)
}
