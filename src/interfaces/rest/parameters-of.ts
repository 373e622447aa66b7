import type { DatasetContext, DatasetOperation } from '../../datasets/dataset.ts'
import { fieldsOf } from '../../query/fields.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { fieldParameters } from '../../query/parameters/field-parameters.ts'
import type { FieldParameters } from '../../query/parameters/parameter-values.ts'
import { PLACE_PARAMETERS, placeOf } from '../../query/parameters/place-parameters.ts'

const NONE: readonly string[] = []

/**
 * The parameters by which an operation selects records: those derived from the dataset's fields, unless it declares its
 * own, and where records have a position those of places.
 */
export function parametersOf(
  { dataset, snapshotIfAny }: Pick<DatasetContext, 'dataset' | 'snapshotIfAny'>,
  { parameters = derived => derived }: Pick<DatasetOperation, 'parameters'>,
): FieldParameters {
  const derived = fieldParameters(fieldsOf(dataset.record), {
    noun: dataset.noun ?? dataset.name.replaceAll('-', ' '),
    heldValues: field => snapshotIfAny()?.heldValues[field] ?? NONE,
  })
  const selection = parameters(derived)
  if (!hasGeometry(dataset.record)) return selection
  return { ...selection, parameters: { ...selection.parameters, ...PLACE_PARAMETERS }, place: placeOf }
}
