/**
 * Words that many businesses have in their names: of trades, of company structure, of places. Two names that share only
 * these are not the same. Folded.
 */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `academy accounting advisors advisory agency air alarm alliance american animal apartments appliance architects art
  arts asphalt associates association attorney attorneys auto automotive bakery bank banquet bar barber bbq beauty bike
  bistro boutique brewery brewing brothers bros builders building burger business cafe caffe care carpet catering center
  central centre chiropractic church city clean cleaners cleaning clinic club coffee collision community computer
  concrete construction consultants consulting contracting contractors cooling corporation counseling country creative
  credit custom dairy dance day deli delivery dental dentist dentistry design designs development digital diner
  distribution doors drywall eatery education electric electrical electronics energy engineering enterprise enterprises
  entertainment environmental equipment estate estates events express family farm farms fence finance financial
  fire fitness flooring floral florist flowers food foods foundation framing fresh funeral furniture garage garden
  gardens general glass global golf gourmet granite graphics green grill grille grocery group gym hair hardware health
  healthcare heating high holding holdings home homes hospital hotel house housing hvac ice imports industrial industries
  inn innovations insulation insurance interiors international investment investments island jewelers jewelry kitchen
  laboratories labs lake landscape landscaping laundry law lawn learning liquor living lodge logistics lounge machine
  maintenance management manufacturing marine market marketing martial massage masonry mechanical media medical
  memorial metal mobile mortgage motel motors mountain movers moving music nail nails national natural network new north
  nursery nutrition office old optical optometry organic outdoor painting paper park parlor partners parts party paving
  pediatrics pest pet pets pharmacy photo photography physical pizza pizzeria place plaza plumbing plus pool power
  precision premier print printing pro production productions products professional professionals properties property
  pub quality radio ranch real realty recovery recycling refrigeration rehabilitation remodeling rental rentals repair
  repairs residential resort resources restaurant restoration river roofing rooter royal salon school science screen
  seafood security self senior service services shipping shop sign signs software solar solution solutions sons south
  southern spa sports sprinkler staffing steak steakhouse steel stone storage store studio studios supplies supply
  support surgery surveying sushi systems tavern tax tech technical technologies technology telecom terrace theater
  therapy tile tire tires title tool tools total town toys trading trail training transport transportation travel
  treatment tree trucking trust tutoring united universal urgent used valley vet veterinary village vision walk warehouse
  waste water wealth web wellness west western wholesale window windows wine wireless wood woodworking works world yoga
  youth baeckerei backerei bau elektro gasthaus handel haus immobilien kanzlei metzgerei praxis reinigung sanitar
  service technik transporte verwaltung zahnarzt boulangerie cabinet coiffure fils garage hotel immobilier maison
  pharmacie restaurant transports travaux bar clinica comercial construcciones distribuciones grupo hermanos inmobiliaria
  panaderia peluqueria restaurante servicios taller tienda transportes costruzioni farmacia gruppo pasticceria ristorante
  servizi trattoria bouw bedrijf bakkerij groep installatie techniek bygg eiendom handels osteria de la le les el los
  las il lo of the at in on for by and`.split(/\s+/),
);

/** Weight of a word that many names have, beside 1 for one that tells them apart. */
export const GENERIC_WEIGHT = 0.35;
/** Of one letter: an initial. */
const LETTER_WEIGHT = 0.5;

/** How much a word says about a name where no counts are known. */
export function plainWordWeight(word: string): number {
  if (GENERIC_WORDS.has(word)) return GENERIC_WEIGHT;
  return word.length === 1 ? LETTER_WEIGHT : 1;
}
