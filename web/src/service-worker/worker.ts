/** The global object of this script. TypeScript's types for windows and workers exclude each other. */
export interface Worker {
  readonly location: Location
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: {
      includeUncontrolled: boolean
    }): Promise<readonly { postMessage(message: unknown): void }[]>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: PageEvent) => void): void
}

/** An event that keeps the worker awake (Service Workers 4.4). */
interface LastingEvent {
  waitUntil(work: Promise<unknown>): void
}

/** A request of a page (Service Workers 4.6). */
export interface PageEvent extends LastingEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

export const worker = globalThis as unknown as Worker
