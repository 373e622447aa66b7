/*
 * Loaded into a service before the service's own code. Whenever the bench asks over IPC, it sends the longest stall of the
 * event loop since the last time. Plain JavaScript, so that the service starts without a loader.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
process.on('message', () => {
  // The measured time between two ticks includes the interval of the ticks.
  process.send?.(Math.max(0, delay.max / 1e6 - RESOLUTION_MS))
  delay.reset()
  // From the first message on: measuring alone keeps an idle process from being idle.
  delay.enable()
})
// The probe does not keep the process alive, and the service ends with the bench.
process.channel?.unref()
process.on('disconnect', () => process.exit(1))
