/** A car park of the synthetic island whose free spaces the simulated feed counts. */
export interface LiveCarpark {
  readonly code: string
  readonly name: string
  readonly spaces: number
  /** Spaces out of use, which are never free. */
  readonly unusable: number
  readonly type: 'LONG_STAY' | 'SHORT_STAY'
  /** The typical visitors, which determine its daily pattern. */
  readonly use: 'commuters' | 'shoppers' | 'visitors'
  /** Local hours of closing and opening, for one that closes at night. */
  readonly closed?: { readonly from: number; readonly until: number }
}

/** The multi-storey car parks, shared by the dataset and the feed, so that codes and sizes agree. */
export const LIVE_CARPARKS: readonly LiveCarpark[] = [
  {
    code: 'GRIFFINST',
    name: 'Griffin Street',
    spaces: 620,
    unusable: 0,
    type: 'LONG_STAY',
    use: 'commuters',
  },
  { code: 'UNICORNPL', name: 'Unicorn Place', spaces: 236, unusable: 0, type: 'SHORT_STAY', use: 'shoppers' },
  { code: 'MIRAGEQUAY', name: 'Mirage Quay', spaces: 512, unusable: 12, type: 'LONG_STAY', use: 'visitors' },
  {
    code: 'PHOENIXSQ',
    name: 'Phoenix Square',
    spaces: 178,
    unusable: 0,
    type: 'SHORT_STAY',
    use: 'shoppers',
  },
  {
    code: 'CHIMERAST',
    name: 'Chimera Street',
    spaces: 418,
    unusable: 0,
    type: 'LONG_STAY',
    use: 'commuters',
  },
  { code: 'FABLELANE', name: 'Fable Lane', spaces: 344, unusable: 0, type: 'LONG_STAY', use: 'commuters' },
  { code: 'WYVERNRD', name: 'Wyvern Road', spaces: 706, unusable: 4, type: 'LONG_STAY', use: 'commuters' },
  {
    code: 'MERMAIDYD',
    name: 'Mermaid Yard',
    spaces: 152,
    unusable: 0,
    type: 'SHORT_STAY',
    use: 'shoppers',
    closed: { from: 23, until: 6 },
  },
]
