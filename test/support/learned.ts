import type { Serving } from './serving.ts'
import { until } from './until.ts'

/**
 * Waits until a service knows a car park's typical week, and with it all else that it learns from the past; gives the
 * answer. A start waits two seconds for that, then it serves without.
 */
export function typicalWeekOf(serving: Serving, code: string): Promise<{ readonly results: object[] }> {
  return until(async () => {
    const { text } = await serving.get(`/v1/carparks/${code}/typical`)
    const answer = JSON.parse(text)
    return answer.reason === null && answer
  }, `the typical week of ${code}`)
}
