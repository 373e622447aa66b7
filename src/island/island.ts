/**
 * Facts about the island whose data is published. There are no settings for these. To publish the data of another island, change
 * these facts and the holidays in this folder, and build again: docs/how-to/publish-another-island.md.
 */
export const ISLAND = {
  /** The name for searches in maps. */
  name: 'Jersey',
  /** The code of the outline in the map data (ISO 3166-1 alpha-3). */
  outline: 'JEY',
  /** The time zone (IANA). */
  timeZone: 'Europe/Jersey',
  /** The numbers to call in an emergency. */
  emergencyNumbers: ['999', '112'],
  /** Degrees (WGS 84). Includes the reefs, Les Minquiers to Les Écréhous, and some miles of sea. Positions elsewhere are errors. */
  bounds: { south: 48.9, north: 49.35, west: -2.75, east: -1.85 },
  /** A query may name any of these, even if the dataset has no records there. */
  parishes: [
    ...['Grouville', 'St. Brelade', 'St. Clement', 'St. Helier', 'St. John', 'St. Lawrence', 'St. Martin'],
    ...['St. Mary', 'St. Ouen', 'St. Peter', 'St. Saviour', 'Trinity'],
  ],
}
