import '../../parking/parking.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { embeddedParking } from './page.tsx'

// The page of one car park has the same view.
hydratePage(embeddedParking)
