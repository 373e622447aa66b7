import '../../parking/parking.css'
import { enableCopyButtons } from '../../browser/copy.ts'
import { hydratePage } from '../../browser/hydrate.tsx'
import { parking } from './page.tsx'

hydratePage(parking)
enableCopyButtons()
