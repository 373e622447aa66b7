/**
 * The facts of the island whose data is published, which no setting states. Whoever publishes the data of another island changes
 * them, and the holidays beside them, and builds anew: docs/how-to/publish-another-island.md.
 */
export const ISLAND = {
  /** The name by which maps find its places. */
  name: 'Jersey',
  /** The code of its outline in the map data (ISO 3166-1 alpha-3). */
  outline: 'JEY',
  /** The zone of its clocks (IANA). */
  timeZone: 'Europe/Jersey',
  /** Whom to call first in an emergency. */
  emergencyNumbers: ['999', '112'],
  /** In degrees (WGS 84), with its reefs, Les Minquiers to Les Écréhous, and some miles of sea: positions elsewhere are errors. */
  bounds: { south: 48.9, north: 49.35, west: -2.75, east: -1.85 },
  /** A query may name each of them, whether a dataset has records there or not. */
  parishes: [
    ...['Grouville', 'St. Brelade', 'St. Clement', 'St. Helier', 'St. John', 'St. Lawrence', 'St. Martin'],
    ...['St. Mary', 'St. Ouen', 'St. Peter', 'St. Saviour', 'Trinity'],
  ],
}
