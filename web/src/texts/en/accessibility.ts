/** The page about accessibility. */
export const accessibility = {
  title: 'Accessibility',
  description: 'What we test for people with disabilities, what does not work well, and where to complain.',
  lead: 'Everyone should be able to use this service: with a keyboard, with large text, with a screen reader or on an old phone.',
  tested: 'What we test',
  testedDetail: 'Automatic tests open the pages in the Chromium browser. They are no formal audit.',
  tests: {
    axe: 'Each kind of page is checked with axe, a tool that finds common faults, in light and in dark colours.',
    text: 'Each kind of page fits a screen that is 390 pixels wide, with text of twice the usual size too.',
    keyboard:
      'A keyboard is enough to search, to find a defibrillator, to open a place on the map and to open a recall.',
    scripts:
      'Search, parking, the map, vehicles, the emergency page and the documentation work without scripts.',
    offline:
      'Toilets and defibrillators can be found without a connection, on a device that has opened the service before.',
  },
  limits: 'What does not work well',
  knownLimits: {
    people:
      'People with disabilities have not tested the service, and neither have we with screen readers or voice control.',
    browsers: 'Only Chromium is tested. Other browsers may show or read the pages in another way.',
    map: 'The map is hard to use without sight. The list below it has the same places.',
    notices:
      'The text of a recall comes from its publisher. Its tables and links may be hard to read with a screen reader.',
    translations:
      'No native speakers have checked the translations. The documentation and the data are in English only.',
  },
  complain: 'Complain or ask for help',
  complainDetail: 'Tell us which page you could not use, and how you use it. We need no other details.',
  noContact:
    'The operator of this service has not published a contact. The publisher of the data is on the page of each dataset.',
} as const
