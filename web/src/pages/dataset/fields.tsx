import { dataLanguage } from '../../address.ts'
import { api } from '../../texts/en/api.ts'
import { data } from '../../texts/en/data.ts'
import { text } from '../../texts/text.ts'
import { PARTS } from '../../words/lists.ts'
import { FieldList } from '../api/field-list.tsx'
import { type Field, typeOf } from '../api/fields.ts'
import type { DatasetPage } from './load.ts'

type Described = DatasetPage['dataset']['fields'][number]

/** The fields of the records: their types, units, meanings and uses. */
export function Fields({ fields }: { readonly fields: readonly Described[] }) {
  return (
    <>
      <h2>{data.fields}</h2>
      <div lang={dataLanguage}>
        <FieldList fields={fields.map(shownField)} />
      </div>
    </>
  )
}

function shownField(field: Described): Field {
  const { name, type, format, unit, nullable, description, enumeration } = field
  return {
    ...{ name, unit, isOptional: false, fields: [] },
    type: typeOf({ type: nullable ? [type, 'null'] : type, format }),
    description: `${description} ${usesOf(field)}`,
    values: enumeration?.values ?? [],
    isOpen: enumeration?.closed === false,
  }
}

/** The uses of a field as a sentence. */
function usesOf({ filter, sort, count }: Described): string {
  const uses = [filter && api.filter, sort && api.sort, count && api.count].filter(
    use => typeof use === 'string',
  )
  return uses.length === 0 ? '' : text(api.uses, { uses: PARTS.format(uses) })
}
