import '../../places/places.css'
import '../../places/map/places-map.css'
import './map.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { map } from './page.tsx'

hydratePage(map)
