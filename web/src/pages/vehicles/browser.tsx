import { enableCopyButtons } from '../../browser/copy.ts'
import { shortenAddresses } from '../../browser/short-addresses.ts'
import { suggestModels } from './suggest-models.ts'
import './vehicles.css'
import './year-chart.css'

enableCopyButtons()
shortenAddresses()
suggestModels()
