import type { News } from '../dataset.ts'
import type { ProductRecall } from './schema.ts'

/** Tells of a recall in a feed. Its HTML has been made safe by the import. */
export function recallNews(recall: ProductRecall): News {
  return {
    title: recall.title,
    summary: recall.problem,
    url: recall.websiteUrl,
    image: recall.imageUrl,
    tags: recall.brand === '' ? [] : [recall.brand],
    facts: [
      ['Brand', recall.brand],
      ['Pack size', recall.packSize ?? ''],
      ['Batch codes', recall.batchCodes ?? ''],
    ],
    html: recall.furtherInformation,
  }
}
