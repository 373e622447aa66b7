import Type, { type Static } from 'typebox'
import type { StoredRecord } from './query.ts'

const names = (description: string) => Type.Array(Type.String(), { description })

/** Which values of a record are not those of its source. */
export const Provenance = Type.Object(
  {
    corrected: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The field.' }),
        until: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'The last day of the correction (ISO 8601); null: until it is removed.',
        }),
        why: Type.String({ description: 'The reason.' }),
      }),
      {
        description: 'The fields whose value the publisher of this service stated in place of the source’s.',
      },
    ),
    heldBack: names('The fields whose value in the source is not published, because it cannot be right.'),
    missing: names('The fields that are shown and have no value.'),
  },
  {
    $id: 'Provenance',
    title: 'Provenance',
    description: 'Only with `include=provenance`: which values are not those of the source.',
  },
)

/** The facts of a release about the values that are not those of its source. */
interface NotOfSource {
  readonly corrected?: readonly { id: string; field: string; until: string | null; why: string }[] | undefined
  /** The records whose position is held back. */
  readonly heldBack?: readonly { id: string }[] | undefined
}

/** Returns the function that finds the provenance of a record of a release; `shown` has the fields that are shown. */
export const provenanceIn =
  ({ corrected = [], heldBack = [] }: NotOfSource) =>
  (key: unknown, shown: StoredRecord): Static<typeof Provenance> => ({
    corrected: corrected
      .filter(({ id }) => id === key)
      .map(({ field, until, why }) => ({ field, until, why })),
    heldBack: heldBack.some(({ id }) => id === key) ? ['latitude', 'longitude'] : [],
    missing: Object.entries(shown).flatMap(([name, value]) => (value === null ? [name] : [])),
  })
