import type { Page } from '../page.ts'
import { catalogue } from './catalogue/page.tsx'
import { dataset } from './dataset/page.tsx'
import { front } from './front/page.tsx'
import { problem, problems } from './problems/page.tsx'
import { recall } from './recall/page.tsx'
import { recalls } from './recalls/page.tsx'
import { vehicles } from './vehicles/page.tsx'

/** Every page, in the order in which a reader of the code meets them. */
export const ALL: readonly Page[] = [front, vehicles, recalls, recall, catalogue, dataset, problems, problem]
