import { enableCopyButtons } from '../../browser/copy.ts'
import { shortenAddresses } from '../../browser/short-addresses.ts'
import './recalls.css'

shortenAddresses()
enableCopyButtons()
