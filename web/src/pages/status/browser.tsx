import { hydratePage } from '../../browser/hydrate.tsx'
import { status } from './page.tsx'
import './status.css'

hydratePage(status)
