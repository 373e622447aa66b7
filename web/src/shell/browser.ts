import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/shell.css'
import '../styles/parts.css'
import { keepOffline } from './keep-offline.ts'
import { offerLanguage } from './offer-language.ts'

keepOffline()
offerLanguage()
