import { enableCopyButtons } from '../../browser/copy.ts'
import './dataset.css'

enableCopyButtons()
