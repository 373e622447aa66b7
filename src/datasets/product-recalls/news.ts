import type { News } from '../dataset.ts'
import type { ProductRecall } from './schema.ts'

/** Makes a recall a piece of news. The import has made its HTML safe. */
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
