/** The texts on every page. */
export const shell = {
  title: '{page} – {site}',
  skip: 'Skip to main content',
  navigation: 'Main',
  parking: 'Parking',
  map: 'Map',
  vehicles: 'Vehicles',
  recalls: 'Recalls',
  data: 'Data',
  docs: 'Docs',
  search: 'Search',
  searchLabel: 'Search the whole service',
  syntheticLabel: 'Synthetic island',
  synthetic:
    '<strong>Synthetic island.</strong> Every place, vehicle and count here is invented. Never use it to find a defibrillator.',
  status: 'Status',
  accessibility: 'Accessibility',
  privacy: 'Privacy',
  openapi: 'OpenAPI',
  agents: 'For agents',
  contact: 'Contact:',
} as const
