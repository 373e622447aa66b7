import '../../parking/parking.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { parking } from './page.tsx'

hydratePage(parking)
