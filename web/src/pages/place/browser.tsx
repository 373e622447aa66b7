import '../../places/places.css'
import './place.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { place } from './page.tsx'

hydratePage(place)
