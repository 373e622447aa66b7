import '../../places/places.css'
import '../../places/map/places-map.css'
import './offline.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { offline } from './page.tsx'

hydratePage(offline)
