import { declareDataset } from '../dataset.ts'
import { recallNews } from './news.ts'
import { listParameters } from './parameters.ts'
import { refineRecall } from './refine.ts'
import { ProductRecall } from './schema.ts'

/** Product safety warnings and recalls (spec 4.1). */
export const productRecalls = declareDataset({
  name: 'product-recalls',
  title: 'Product recalls',
  description: 'Safety warnings and recalls of products sold on the island.',
  knownBy: ['title'],
  datedBy: 'recallDate',
  record: ProductRecall,
  identity: { kind: 'given' },
  transform: refineRecall,
  news: {
    operationId: 'feedOfProductRecalls',
    summary: 'The newest product recalls as a feed',
    date: 'recallDate',
    page: '/recalls',
    describe: recallNews,
  },
  list: {
    operationId: 'listProductRecalls',
    summary: 'Product recalls, paged',
    pageLength: 50,
    parameters: listParameters,
  },
  dates: 'recallDate',
})
