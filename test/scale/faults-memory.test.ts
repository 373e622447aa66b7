import { testSurvival } from './survival.ts'

testSurvival('memory')
