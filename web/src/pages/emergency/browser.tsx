import '../../places/places.css'
import './emergency.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { emergency } from './page.tsx'

hydratePage(emergency)
