import type { Page } from '../page.ts'
import { front } from './front/page.tsx'
import { map } from './map/page.tsx'
import { offline } from './offline/page.tsx'
import { place } from './place/page.tsx'
import { problem, problems } from './problems/page.tsx'

/** Every page, in the order in which a reader of the code meets them. */
export const ALL: readonly Page[] = [front, map, place, offline, problems, problem]
