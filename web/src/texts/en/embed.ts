/** Pages in frames of other sites, and the lines for such a frame. */
export const embed = {
  synthetic: '<strong>Synthetic island:</strong> all of this is invented.',
  more: 'More at {site}',
  noCarPark: 'No car park with a live counter has this address. <link>All car parks</link>',
  offer: 'Put this on your own site',
  offerDetail:
    'Copy these lines into your page. They show a small version of this page with the data of the moment. <link>How it works</link>',
  lines: 'the lines',
} as const
