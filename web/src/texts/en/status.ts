/** The page of the service's state. */
export const status = {
  title: 'Status',
  description: 'How up to date each dataset is, whether the live counts work, and the latest releases.',
  good: 'Everything is working.',
  unavailable: 'Not available: {title}.',
  late: 'The update of {title} is late.',
  noCounts: 'We have no live counts yet.',
  stopped: 'The live feed has stopped. The counts of the car parks are old.',
  faulty:
    '{faulty} of {count, plural, one {# counter} other {# counters}} {faulty, plural, one {is} other {are}} faulty.',
  asOf: 'As of {time}, {island} time.',
  unreachable: 'We cannot reach the service. This status is from {age}.',
  refresh: 'Refresh',
  datasets: 'Datasets',
  notAvailable: 'Not available at the moment.',
  nothingPublished: 'Nothing is published yet.',
  updated: 'Updated {time} <muted>({age})</muted>',
  sourceChecked: 'Source checked {time}',
  nextUpdate: 'Updated {rhythm}. Next update expected by {day}.',
  lateUpdate: 'Updated {rhythm}. The next update was expected by {day}.',
  records: '{count, plural, one {# record} other {# records}}, release {release}',
  rhythms: {
    daily: 'every day',
    weekly: 'every week',
    twoWeeks: 'every two weeks',
    monthly: 'every month',
    twoMonths: 'every two months',
    quarterly: 'every three months',
    halfYearly: 'twice a year',
    yearly: 'every year',
  },
  liveCounts: 'Live counts of the car parks',
  noFeed: 'This service has no live feed, so it does not count free spaces.',
  reading: 'Last reading {time} <muted>({age})</muted>. Counters:',
  qualities: {
    good: 'working',
    closed: 'closed, as the feed says',
    stale: 'without a new count for 15 minutes',
    implausible: 'with numbers that cannot be right',
    frozen: 'may be stuck',
    missing: 'missing from the feed',
    unknown: 'not checked yet, because the service has just started',
  },
  countDays: {
    title: 'The last 30 days',
    detail:
      'Each bar is a day, up to yesterday. The feed had a good day if it gave readings in at least 95 % of the hours. A counter had a good day if at least 95 % of its readings passed our checks. Readings of a closed car park do not count as good.',
    words:
      '{good, plural, one {# good day} other {# good days}}{partly, plural, =0 {} one {, # partly good} other {, # partly good}}{bad, plural, =0 {} one {, # bad} other {, # bad}}{none, plural, =0 {} one {, # without readings} other {, # without readings}}',
  },
  sourceDays: {
    title: 'The sources in the last 30 days',
    detail:
      'Each bar is a day (UTC), up to yesterday. A source had a good day if each check of it succeeded. After a failed check the published data stays in use.',
    words:
      '{good, plural, one {# good day} other {# good days}}{partly, plural, =0 {} other {, # with failed checks}}{none, plural, =0 {} other {, # without checks}}',
  },
  feed: 'Live feed',
  daysAsData: '<link>These days as data</link>',
  more: '<parking>Each car park</parking> · <docs>How we check the counts</docs>',
  releases: 'Latest releases',
  published: 'Published {time}. <muted>{summary}</muted>',
  feeds:
    'Get updates in a feed reader: <atom>Atom</atom>, <json>JSON Feed</json>. For programs: <api>/v1/datasets</api>.',
} as const
