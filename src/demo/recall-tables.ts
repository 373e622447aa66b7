/** A kind of goods with its brands, none of which exists, and the kind of hazards that it has. */
export interface Goods {
  readonly hazards: 'food' | 'toy' | 'electric' | 'vehicle'
  readonly products: readonly string[]
  readonly brands: readonly string[]
  readonly packs: readonly string[]
}

export const GOODS: readonly Goods[] = [
  {
    hazards: 'food',
    products: [
      'Hazelnut Oat Bars',
      'Honey Mustard Crisps',
      'Smoked Salmon Slices',
      'Vegan Mushroom Pie',
      'Chicken and Leek Soup',
      'Dark Chocolate Buttons',
      'Soft Goat Cheese',
      'Tomato and Basil Sauce',
      'Sea Salt Popcorn',
      'Baby Spinach',
      'Raspberry Yoghurt',
      'Mixed Bean Salad',
      'Gluten Free Wraps',
      'Cooked Prawns',
    ],
    brands: [
      'Fablefare',
      'Mirage Mills',
      'Wyvern & Nought',
      'Unicorn Pantry',
      'Make-Believe Dairy',
      'Exemplario',
    ],
    packs: ['6 x 35g', '150g', '400g', '1kg', '4 x 125g', '75cl'],
  },
  {
    hazards: 'toy',
    products: [
      'Wooden Train Set',
      'Glow Slime Tub',
      'Plush Griffin',
      'Magnetic Building Balls',
      'Bath Boat',
      "Children's Face Paint",
      'Doll with Pram',
      'Bubble Wand',
    ],
    brands: ['Nowhere Toys', 'Lost King Games', 'Chimera Kids', 'Phantasmo'],
    packs: ['one set', 'pack of 12', '36 pieces'],
  },
  {
    hazards: 'electric',
    products: [
      'Travel Adapter',
      'USB Charger',
      'Fan Heater',
      'Hair Straightener',
      'LED String Lights',
      'Electric Blanket',
      'Kettle 1.7 l',
      'Power Bank',
      'Scooter Battery',
    ],
    brands: ['Voltamirage', 'Fictolux', 'Nulltec', 'Chimera Home'],
    packs: ['230 V', 'pack of 2', 'white and black'],
  },
  {
    hazards: 'vehicle',
    products: ["Child's Car Seat", 'Cycle Helmet', 'Mountain Bike Fork', 'Roof Box', 'Motorcycle Brake Pads'],
    brands: ['Griffin Cycles', 'Seven Sleeps', 'Nowhere Motion'],
    packs: ['size M', 'size L', 'one pair'],
  },
]

export const HAZARDS: Readonly<Record<Goods['hazards'], readonly string[]>> = {
  food: [
    'Allergy risk to peanuts',
    'Allergy risk to milk',
    'Undeclared gluten',
    'May contain pieces of metal',
    'May contain pieces of plastic',
    'Possible presence of salmonella',
    'Possible presence of listeria',
    'Wrong use-by date',
  ],
  toy: ['Choking hazard', 'Risk of strangulation', 'Chemical risk', 'Risk of suffocation'],
  electric: ['Risk of electric shock', 'Risk of fire', 'Risk of burns'],
  vehicle: ['Risk of injury', 'May fail under load', 'Straps may come loose'],
}

export const STEPS: Readonly<Record<Goods['hazards'], readonly string[]>> = {
  food: ['Do not eat it. Take it back to the shop for a refund.', 'If you have an allergy, do not eat it.'],
  toy: ['Take it away from children at once.', 'Stop using it and take it back to the shop.'],
  electric: ['Unplug it and do not use it again.', 'Stop using it and ask the seller for a refund.'],
  vehicle: ['Do not use it until the part has been replaced.', 'Stop using it and ask the seller.'],
}
