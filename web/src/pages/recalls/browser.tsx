import { shortenAddresses } from '../../browser/short-addresses.ts'
import './recalls.css'

shortenAddresses()
