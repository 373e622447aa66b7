import Type from 'typebox'
import * as field from '../fields.ts'

/** A product recall or safety notice (spec 2.8). */
export const ProductRecall = Type.Object(
  {
    id: field.integer({ description: "The publisher's number.", examples: [1252] }),
    title: field.text({ description: 'Title, plain text.', search: true }),
    imageUrl: field.text({ description: 'Address of a picture; empty where there is none.', default: '' }),
    brand: field.text({
      count: true,
      default: '',
      description: 'Brand, plain text; empty where there is none.',
      examples: ['Tesco'],
      filter: 'contains',
      search: true,
    }),
    recallDate: field.timestamp({
      sort: true,
      description: 'Date of the recall.',
      examples: ['2024-06-06T23:00:00.000Z'],
    }),
    packSize: field.nullableText({
      description: 'Size of the pack, plain text, or null.',
      examples: ['6 x 40g'],
    }),
    batchCodes: field.nullableText({ description: 'Batch codes, plain text, or null.' }),
    problem: field.text({
      description: 'Short statement of the hazard, plain text.',
      examples: ['Allergy risk to peanuts'],
      search: true,
    }),
    furtherInformation: field.text({
      contentMediaType: 'text/html',
      default: '',
      description:
        'HTML fragment, reduced to an allow-list of elements (paragraphs, lists, emphasis, tables, links), without scripts.',
      search: true,
    }),
    websiteUrl: field.text({
      description: 'Address of the notice or report; empty where there is none.',
      default: '',
    }),
  },
  { $id: 'ProductRecall', title: 'Product recall', description: 'A product safety warning or recall.' },
)
export type ProductRecall = Type.Static<typeof ProductRecall>
