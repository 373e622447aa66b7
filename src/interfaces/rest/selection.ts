import type { DatasetContext, DatasetOperation } from '../../datasets/dataset.ts'
import { fieldsOf } from '../../query/fields.ts'
import { hasGeometry } from '../../query/geometry.ts'
import { fieldParameters } from '../../query/parameters/field-parameters.ts'
import type { FieldParameters, ParameterValues } from '../../query/parameters/parameter-values.ts'
import { PLACE_PARAMETERS, placeOf } from '../../query/parameters/place-parameters.ts'
import type { Selection } from '../../query/query.ts'

const NONE: readonly string[] = []

/** The parameters by which an operation selects records, and what their values select. */
export interface SelectionParameters extends Pick<FieldParameters, 'parameters' | 'sort'> {
  /** The parameters without `sort`. */
  readonly narrowing: FieldParameters['parameters']
  /** Throws {@link InvalidParameter} for values that contradict each other. */
  select(values: ParameterValues): Selection
}

/** The parameters derived from the dataset's fields, unless the operation declares its own, and those of places. */
export function selectionOf(
  { dataset, snapshotIfAny }: Pick<DatasetContext, 'dataset' | 'snapshotIfAny'>,
  { parameters: own = derived => derived }: Pick<DatasetOperation, 'parameters'> = {},
): SelectionParameters {
  const derived = fieldParameters(fieldsOf(dataset.record), {
    noun: dataset.noun,
    heldValues: field => snapshotIfAny()?.heldValues[field] ?? NONE,
  })
  const declared = own(derived)
  const hasPlaces = hasGeometry(dataset.record)
  const parameters: FieldParameters['parameters'] = hasPlaces
    ? { ...declared.parameters, ...PLACE_PARAMETERS }
    : declared.parameters
  const { sort: _sort, ...narrowing } = parameters
  return {
    ...declared,
    parameters,
    narrowing,
    select(values) {
      const place = hasPlaces ? placeOf(values) : undefined
      const filters = declared.filters(values)
      return place === undefined ? { filters } : { filters, place }
    },
  }
}
