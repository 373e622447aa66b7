import type { Page } from '../page.ts'
import { carpark } from './carpark/page.tsx'
import { front } from './front/page.tsx'
import { parking } from './parking/page.tsx'
import { problem, problems } from './problems/page.tsx'

/** Every page, in the order in which a reader of the code meets them. */
export const ALL: readonly Page[] = [front, parking, carpark, problems, problem]
