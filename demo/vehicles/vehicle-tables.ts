import { type Curve, curve, list, weighted } from '../tables.ts'

/** Vehicles of the register by the year of their first registration. Nothing was sold in the war years. */
export const REGISTRATIONS = curve(`
  1920: 0.01, 1939: 0.12, 1940: 0, 1945: 0, 1946: 0.15, 1960: 0.5, 1975: 0.9, 1984: 1.6, 1989: 15, 1995: 23,
  2003: 26, 2009: 27, 2016: 36, 2019: 41, 2020: 34, 2023: 48, 2025: 46`)

/** The share of each kind in a year's vehicles. */
export const KINDS = {
  car: curve('1920: 50, 1960: 62, 1985: 76'),
  motorcycle: curve('1920: 30, 1975: 24, 1990: 12'),
  van: curve('1947: 0, 1965: 5, 1990: 8, 2015: 10'),
  lorry: curve('1945: 0, 1970: 1.5, 1995: 1.2'),
  tractor: curve('1920: 14, 1950: 18, 1975: 6, 1990: 2'),
  steam: curve('1930: 8, 1931: 0'),
} as const

export type Kind = keyof typeof KINDS

/** The register's terms for fuels, each with its letter in the tables of makes. */
export const FUEL_LETTERS = {
  Petrol: 'P',
  'Heavy Oil': 'D',
  'Hybrid Electric': 'H',
  Electric: 'E',
  Gas: 'P',
  'Gas Bi Fuel': 'P',
  'Diesel Electric': 'D',
  Steam: 'S',
  Unknown: 'P',
} as const

export type Fuel = keyof typeof FUEL_LETTERS

/** Percentages of fuels in a year's vehicles, by kind. Petrol is the rest. */
export const FUELS: Readonly<Record<Kind, Readonly<Partial<Record<Fuel, Curve>>>>> = {
  car: {
    'Heavy Oil': curve('1950: 0, 1980: 1, 1990: 8, 2006: 31, 2014: 38, 2018: 30, 2021: 13, 2025: 6'),
    'Hybrid Electric': curve('1999: 0, 2005: 0.6, 2012: 3, 2018: 11, 2025: 36'),
    Electric: curve('2010: 0, 2012: 0.5, 2017: 2.4, 2020: 6, 2025: 19'),
    Gas: curve('1995: 0, 2002: 0.15, 2012: 0'),
    'Gas Bi Fuel': curve('1998: 0, 2004: 0.12, 2012: 0'),
    'Diesel Electric': curve('2011: 0, 2013: 0.2, 2025: 0.3'),
    Unknown: curve('1980: 0.05'),
  },
  motorcycle: { Electric: curve('2017: 0, 2019: 1, 2025: 5') },
  van: {
    'Heavy Oil': curve('1960: 2, 1990: 70, 2000: 92, 2018: 95, 2025: 84'),
    Electric: curve('2010: 0, 2014: 1, 2020: 4, 2025: 15'),
  },
  lorry: { 'Heavy Oil': curve('1948: 20, 1970: 96, 1990: 100') },
  tractor: { 'Heavy Oil': curve('1945: 0, 1958: 90, 1966: 100'), Unknown: curve('1980: 0.2') },
  steam: { Steam: curve('1920: 100') },
}

/** The last colour has no name: the register leaves it blank. */
export const COLOURS_THEN = weighted(`
  Blue: 24, Red: 21, White: 16, Silver: 11, Green: 10, Black: 7, Grey: 4, Yellow: 2.2, Beige: 1.6, Gold: 1,
  Brown: 0.9, Cream: 0.5, Maroon: 0.4, Purple: 0.5, Orange: 0.9, Turquoise: 0.3, Bronze: 0.3,
  Multi-Coloured: 0.3, : 0.12`)

export const COLOURS_NOW = weighted(`
  White: 25, Grey: 19, Black: 18, Blue: 14, Silver: 10, Red: 8, Green: 2.5, Orange: 1.4, Yellow: 0.9, Beige: 0.4,
  Brown: 0.4, Bronze: 0.3, Purple: 0.25, Gold: 0.2, Multi-Coloured: 0.25, Pink: 0.12, Turquoise: 0.08, : 0.05`)

/** Words at the end of a car's model. */
export const BODIES = list('AUTO, 5D, 3D, ESTATE, CVT, LHD, 4X4, A, 5DR, NAV, CABRIOLET, 4D')
