/** A car park of the synthetic island that the simulated feed counts. */
export interface LiveCarpark {
  readonly code: string
  readonly name: string
  readonly spaces: number
  /** Spaces out of use. They are never free. */
  readonly unusable: number
  readonly type: 'LONG_STAY' | 'SHORT_STAY'
  /** The typical visitors, which determine its daily pattern. */
  readonly use: 'commuters' | 'shoppers' | 'visitors'
  /** Local hours of closing and opening, if the car park closes at night. */
  readonly closed?: { readonly from: number; readonly until: number }
}

const carpark = (
  code: string,
  name: string,
  spaces: number,
  use: LiveCarpark['use'],
  more: Pick<LiveCarpark, 'closed'> & { unusable?: number } = {},
): LiveCarpark => ({
  code,
  name,
  spaces,
  unusable: 0,
  use,
  type: use === 'shoppers' ? 'SHORT_STAY' : 'LONG_STAY',
  ...more,
})

/** The multi-storey car parks, shared by the dataset and the feed, so that codes and sizes agree. */
export const LIVE_CARPARKS: readonly LiveCarpark[] = [
  carpark('GRIFFINST', 'Griffin Street', 620, 'commuters'),
  carpark('UNICORNPL', 'Unicorn Place', 236, 'shoppers'),
  carpark('MIRAGEQUAY', 'Mirage Quay', 512, 'visitors', { unusable: 12 }),
  carpark('PHOENIXSQ', 'Phoenix Square', 178, 'shoppers'),
  carpark('CHIMERAST', 'Chimera Street', 418, 'commuters'),
  carpark('FABLELANE', 'Fable Lane', 344, 'commuters'),
  carpark('WYVERNRD', 'Wyvern Road', 706, 'commuters', { unusable: 4 }),
  carpark('MERMAIDYD', 'Mermaid Yard', 152, 'shoppers', { closed: { from: 23, until: 6 } }),
]
