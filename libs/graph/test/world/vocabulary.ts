/** Words from which names of businesses and streets are built. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const SURNAMES = words(`
  Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
  Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young
  Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter
  Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers
  Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez
  Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez
  Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes Fisher Vasquez Simmons Romero Jordan
  Patterson Alexander Hamilton Graham Reynolds Griffin Wallace Moreno West Cole Hayes Bryant Herrera Gibson Ellis Tran
  Medina Aguilar Stevens Murray Ford Castro Marshall Owens Harrison Fernandez McDonald Woods Washington Kennedy Wells
  Vargas Henry Chen Freeman Webb Tucker Guzman Burns Crawford Olson Simpson Porter Hunter Gordon Mendez Silva Shaw
  Snyder Mason Dixon Munoz Hunt Hicks Holmes Palmer Wagner Black Robertson Boyd Rose Stone Salazar Fox Warren Mills
  Meyer Rice Schmidt Garza Daniels Ferguson Nichols Stephens Soto Weaver Ryan Gardner Payne Grant Dunn Kelley Spencer
  Hawkins Arnold Pierce Vazquez Hansen Peters Santos Hart Bradley Knight Elliott Cunningham Duncan Armstrong Hudson
  Carroll Lane Riley Andrews Alvarado Ray Delgado Berry Perkins Hoffman Johnston Matthews Pena Richards Contreras Willis
  Carpenter Lawrence Sandoval Guerrero George Chapman Rios Estrada Ortega Watkins Greene Nunez Wheeler Valdez Harper
  Burke Larson Santiago Maldonado Morrison Franklin Carlson Austin Dominguez Carr Lawson Jacobs OBrien Lynch Singh Vega
  Bishop Montgomery Oliver Jensen Harvey Williamson Gilbert Dean Sims Espinoza Howell Li Wong Reid Hanson Le McCoy
  Garrett Burton Fuller Wang Weber Welch Rojas Lucas Marquez Fields Park Yang Little Banks Padilla Day Walsh Bowman
  Schultz Luna Fowler Mejia`);

export const GIVEN_NAMES = words(`
  Joe Maria Tony Angela Mike Linda Sal Rosa Pete Grace Hank Olivia Gus Nina Ray Carmen Lou Ruth Vince Elena Bill Sofia
  Art Daisy Max Paula Leo Hazel Sam Fiona Jack Irene Ben Naomi Ed Lucille Frank Mabel Otis June`);

export const TRADES = words(`
  Plumbing Electric Roofing Dental Pizza Bakery Landscaping Painting Insurance Realty Law Accounting Flooring Towing
  Heating Pharmacy Florist Salon Fitness Veterinary Catering Printing Welding Masonry Fencing Upholstery Optical
  Chiropractic Locksmith Drywall Tutoring Photography Jewelers Cleaners Brewing Coffee Diner Grill Hardware Nursery
  Storage Trucking Glass Tile Cabinets Paving Pools Tailoring Taxidermy Vending`);

export const TRADE_ENDINGS = [
  ...['Services', 'Company', 'Group', 'Shop', 'Solutions', 'Center', 'Experts', 'Associates'],
  ...['Contractors', 'Supply', '', '', '', ''],
];

export const FANCY_WORDS = words(`
  Summit Evergreen Cardinal Liberty Pinnacle Harbor Heritage Magnolia Granite Falcon Sterling Juniper Copper Beacon
  Willow Prairie Redwood Keystone Lighthouse Phoenix Sapphire Timber Horizon Maple Aurora Compass Cobalt Meadow Anchor
  Crescent Orchard Sequoia Emerald Bluebird Patriot Riverbend Stonegate Cedar Ironwood Silverline Goldfinch Northstar
  Sunrise Eagle Mustang Coyote Bison Heron Osprey Cypress Dogwood Thistle Saffron Basil Clover Poppy Ember Quartz Onyx
  Topaz Mirage Vanguard Apex Zenith Nimbus Atlas Titan Orion Vega Luna Solstice Equinox Monarch Regal Noble Crown Shield
  Lancer Pioneer Frontier Homestead Wagon Trailhead Canyon Mesa Bayou Delta Lagoon Coral Pelican Marlin Dolphin`);

export const SYLLABLES = words(`
  bri cor dal fen gar hol jun kel lor mar nor pel quin ros sal tam ul ver wex yar zan bel cra dro eth fal gri hel ing
  kor len mon nar ost pra ran sto tre vin wal`);

export const CITY_STARTS = words(`
  Oak Maple River Spring Clear Fair Green Lake Mill Stone North West Glen Ash Brook Cedar Elk Fox Haven Iron Kings
  Laurel Marsh New Pine Queens Rock Sand Silver Thorn Union Vine Wild Winter Harris Jeffer Madi Monroe Frank Clay`);
export const CITY_ENDS = words(
  `ville ton field burg port wood ford dale view ridge brook haven mont side land bury crest gate shore grove`,
);

export const STREET_NAMES = words(`
  Main Oak Pine Maple Cedar Elm Washington Lake Hill Walnut Spring North Ridge Church Willow Mill Sunset Railroad Cherry
  Jackson Franklin Park Highland Meadow Forest Jefferson Center College River Chestnut Lincoln Madison Adams Monroe
  Spruce Locust Sycamore Dogwood Hickory Magnolia Poplar Valley Prospect Pleasant Grant Cleveland Harrison Broad Market
  Commerce Industrial Airport Depot Court Liberty Union Pearl Water Front Bridge School Academy Orchard Garden Canal`);
export const STREET_TYPES = [
  ...[
    ['Street', 'St'],
    ['Avenue', 'Ave'],
    ['Road', 'Rd'],
    ['Drive', 'Dr'],
    ['Lane', 'Ln'],
  ],
  ...[
    ['Boulevard', 'Blvd'],
    ['Parkway', 'Pkwy'],
    ['Highway', 'Hwy'],
    ['Court', 'Ct'],
  ],
] as const;
export const DIRECTIONS = [
  ...[
    ['North', 'N'],
    ['South', 'S'],
    ['East', 'E'],
    ['West', 'W'],
  ],
] as const;

export const LEGAL_FORMS = [
  ...['Inc', 'Inc.', 'LLC', 'L.L.C.', 'Incorporated', 'Corp.', 'Corporation', 'Co.', 'Ltd.', 'LLP'],
] as const;

/** State, the first digits of its ZIP codes, an area code. */
export const STATES: readonly (readonly [string, string, string])[] = [
  ...([
    ['TX', '75', '214'],
    ['CA', '90', '213'],
    ['NY', '10', '212'],
    ['FL', '33', '305'],
  ] as const),
  ...([
    ['IL', '60', '312'],
    ['PA', '19', '215'],
    ['OH', '43', '614'],
    ['GA', '30', '404'],
  ] as const),
  ...([
    ['NC', '27', '919'],
    ['MI', '48', '313'],
    ['NJ', '07', '201'],
    ['VA', '22', '703'],
  ] as const),
  ...([
    ['WA', '98', '206'],
    ['AZ', '85', '602'],
    ['MA', '02', '617'],
    ['TN', '37', '615'],
  ] as const),
  ...([
    ['IN', '46', '317'],
    ['MO', '63', '314'],
    ['MD', '21', '410'],
    ['WI', '53', '414'],
  ] as const),
  ...([
    ['CO', '80', '303'],
    ['MN', '55', '612'],
    ['SC', '29', '803'],
    ['AL', '35', '205'],
  ] as const),
  ...([
    ['LA', '70', '504'],
    ['KY', '40', '502'],
    ['OR', '97', '503'],
    ['OK', '73', '405'],
  ] as const),
];
