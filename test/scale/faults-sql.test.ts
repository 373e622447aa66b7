import { testSurvival } from './survival.ts'

testSurvival('sql')
