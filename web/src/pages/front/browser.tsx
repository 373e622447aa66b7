import '../../parking/parking.css'
import './front.css'
import { hydratePage } from '../../browser/hydrate.tsx'
import { front } from './page.tsx'

hydratePage(front)
