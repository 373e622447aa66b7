import '../../places/places.css'
import '../place/place.css'
import '../../parking/parking.css'
import './carpark.css'
import { enableCopyButtons } from '../../browser/copy.ts'
import { hydratePage } from '../../browser/hydrate.tsx'
import { carpark } from './page.tsx'

hydratePage(carpark)
enableCopyButtons()
