/** The page for an emergency. */
export const emergency = {
  title: 'Nearest defibrillator',
  description: 'Call for help, and find the way to the nearest defibrillators.',
  call: 'Call {number}',
  callFirst: 'In an emergency, call {numbers} first. They can tell you how to open the cabinet.',
  find: 'Find the nearest',
  findAgain: 'Find again',
  nearest: 'Nearest to you',
  straight: 'Distances and directions are in a straight line.',
  unlocated:
    '{count, plural, one {The exact location of # defibrillator is not known. It may be nearer: choose your parish.} other {The exact location of # defibrillators is not known. One of them may be nearer: choose your parish.}}',
  inParish: 'Defibrillators in {parish}',
  noneInParish: 'We know of none here. Choose another parish.',
  chooseParish: 'Choose a parish',
  show: 'Show',
  unavailable: 'The list of defibrillators is not available now.',
  onMap: 'All defibrillators on the map',
} as const
