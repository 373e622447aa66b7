declare module 'virtual:coastline' {
  /** The island's outline: longitude and latitude of each point. */
  export const COASTLINE: readonly (readonly [longitude: number, latitude: number])[]
}
