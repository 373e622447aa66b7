/*
 * Loaded into a service before its own code: tells the bench, when asked over IPC, how long the event loop was held up
 * at the longest since it was last asked. Plain JavaScript, so that the service starts without a loader.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
process.on('message', () => {
  // What is measured is the time between two ticks, which includes the tick itself.
  process.send?.(Math.max(0, delay.max / 1e6 - RESOLUTION_MS))
  delay.reset()
})
// The probe keeps nobody alive, and a service does not outlive its bench.
process.channel?.unref()
process.on('disconnect', () => process.exit(1))
