/**
 * Kinds of businesses, by the words that people use for them (singular; plurals are derived), and the tags by which
 * OpenStreetMap knows them. Facts of the OpenStreetMap wiki.
 */
const KINDS: Readonly<Record<string, string>> = {
  'accountant, accounting firm, tax advisor, cpa, bookkeeper': 'office=accountant|tax_advisor',
  'architect, architecture firm': 'office=architect',
  'lawyer, law firm, attorney, solicitor, law office': 'office=lawyer',
  'insurance agency, insurance agent, insurance broker, insurance office': 'office=insurance',
  'real estate agency, real estate agent, realtor, estate agent, real estate office':
    'office=estate_agent|property_management',
  'notary, notary office': 'office=notary',
  'marketing agency, advertising agency, ad agency, digital agency':
    'office=advertising_agency|marketing',
  'employment agency, staffing agency, recruiter, recruitment agency': 'office=employment_agency',
  'travel agency, travel agent': 'shop=travel_agency',
  'coworking space, coworking office': 'amenity=coworking_space;office=coworking',
  'software company, it company, tech company, software house': 'office=it|company',
  'restaurant, diner, eatery, bistro': 'amenity=restaurant',
  'pizzeria, pizza place, pizza restaurant, pizza shop':
    'amenity=restaurant|fast_food&cuisine=pizza',
  'sushi bar, sushi restaurant, sushi place': 'amenity=restaurant&cuisine=sushi',
  'steakhouse, steak house': 'amenity=restaurant&cuisine=steak_house',
  'cafe, coffee shop, coffee house, café, coffee bar': 'amenity=cafe',
  'fast food restaurant, burger place, burger joint': 'amenity=fast_food',
  'bar, cocktail bar, wine bar': 'amenity=bar',
  'pub, tavern, gastropub': 'amenity=pub',
  'brewery, microbrewery, craft brewery': 'craft=brewery;microbrewery=yes',
  'winery, vineyard': 'craft=winery',
  'nightclub, night club': 'amenity=nightclub',
  'bakery, bake shop, patisserie': 'shop=bakery|pastry',
  'butcher, butcher shop, meat shop': 'shop=butcher',
  'ice cream shop, ice cream parlor, gelateria': 'amenity=ice_cream;shop=ice_cream',
  'supermarket, grocery store, grocer, grocery': 'shop=supermarket|grocery|greengrocer',
  'convenience store, corner shop': 'shop=convenience',
  'liquor store, wine shop, off licence': 'shop=alcohol|wine',
  'hotel, boutique hotel': 'tourism=hotel',
  'hostel, backpacker hostel': 'tourism=hostel',
  'motel, motor inn': 'tourism=motel',
  'guest house, bed and breakfast, b&b, guesthouse': 'tourism=guest_house',
  'campground, campsite, camp site, rv park': 'tourism=camp_site|caravan_site',
  'museum, art museum': 'tourism=museum',
  'art gallery, gallery': 'tourism=gallery;shop=art',
  'dentist, dental clinic, dental practice, dental office, orthodontist':
    'amenity=dentist;healthcare=dentist',
  'doctor, physician, medical practice, family doctor, gp, general practitioner':
    'amenity=doctors;healthcare=doctor',
  'clinic, medical clinic, urgent care, health center': 'amenity=clinic;healthcare=clinic',
  'hospital, medical center': 'amenity=hospital',
  'pharmacy, drugstore, chemist, drug store': 'amenity=pharmacy',
  'optician, optometrist, eyewear store, glasses shop': 'shop=optician;healthcare=optometrist',
  'physiotherapist, physical therapist, physiotherapy practice, physical therapy clinic':
    'healthcare=physiotherapist',
  'psychologist, psychotherapist, therapist, counselor': 'healthcare=psychotherapist',
  'chiropractor, chiropractic clinic': 'healthcare=chiropractor|alternative',
  'veterinarian, vet, vet clinic, animal hospital, veterinary clinic': 'amenity=veterinary',
  'pet store, pet shop': 'shop=pet',
  'pet groomer, dog groomer, pet grooming salon': 'shop=pet_grooming',
  'hairdresser, hair salon, barber, barber shop, barbershop': 'shop=hairdresser',
  'beauty salon, nail salon, spa, day spa, beautician': 'shop=beauty|nails;leisure=spa',
  'tattoo studio, tattoo parlor, tattoo shop, tattoo artist': 'shop=tattoo',
  'massage studio, massage therapist, massage parlor': 'shop=massage',
  'gym, fitness center, fitness studio, health club, fitness club': 'leisure=fitness_centre',
  'yoga studio, pilates studio': 'leisure=fitness_centre|sports_centre&sport=yoga|pilates',
  'dance school, dance studio': 'leisure=dance;amenity=dancing_school',
  'swimming pool, pool': 'leisure=swimming_pool|sports_centre&sport=swimming',
  'golf course, golf club': 'leisure=golf_course',
  'bowling alley, bowling center': 'leisure=bowling_alley',
  'cinema, movie theater, movie theatre': 'amenity=cinema',
  'theater, theatre, playhouse': 'amenity=theatre',
  'school, private school, high school': 'amenity=school',
  'kindergarten, daycare, day care, preschool, nursery, childcare center':
    'amenity=kindergarten|childcare',
  'language school': 'amenity=language_school',
  'driving school': 'amenity=driving_school',
  'music school': 'amenity=music_school',
  'university, college': 'amenity=university|college',
  'library, public library': 'amenity=library',
  'bank, bank branch, credit union': 'amenity=bank',
  'car dealer, car dealership, auto dealer, used car dealer': 'shop=car',
  'mechanic, auto repair shop, garage, car repair shop, auto shop, auto mechanic, body shop':
    'shop=car_repair',
  'tire shop, tyre shop': 'shop=tyres',
  'car wash': 'amenity=car_wash',
  'car rental, car rental agency, car hire': 'amenity=car_rental',
  'gas station, petrol station, fuel station': 'amenity=fuel',
  'bike shop, bicycle shop, bicycle store, bike store': 'shop=bicycle',
  'motorcycle dealer, motorcycle shop': 'shop=motorcycle',
  'plumber, plumbing company, plumbing contractor': 'craft=plumber',
  'electrician, electrical contractor': 'craft=electrician',
  'carpenter, joiner': 'craft=carpenter|joiner',
  'roofer, roofing company, roofing contractor': 'craft=roofer',
  'painter, painting company, house painter': 'craft=painter',
  'hvac company, hvac contractor, heating contractor, air conditioning company': 'craft=hvac',
  'landscaper, gardener, landscaping company': 'craft=gardener',
  'locksmith, key shop': 'craft=locksmith;shop=locksmith',
  'builder, contractor, general contractor, construction company':
    'craft=builder;office=construction_company',
  'cleaning company, cleaning service, cleaner': 'craft=cleaning',
  'moving company, mover, removal company': 'office=moving_company;shop=moving',
  'photographer, photo studio, photography studio': 'craft=photographer;shop=photo',
  'tailor, dressmaker, alteration shop': 'craft=tailor|dressmaker;shop=tailor',
  'shoemaker, shoe repair shop, cobbler': 'craft=shoemaker;shop=shoe_repair',
  'dry cleaner, laundry, laundromat': 'shop=dry_cleaning|laundry',
  'florist, flower shop': 'shop=florist',
  'garden center, garden centre, plant nursery': 'shop=garden_centre',
  'furniture store, furniture shop': 'shop=furniture',
  'hardware store, diy store, home improvement store': 'shop=hardware|doityourself',
  'electronics store, electronics shop': 'shop=electronics',
  'computer store, computer shop, computer repair shop': 'shop=computer',
  'phone store, mobile phone shop, phone repair shop': 'shop=mobile_phone',
  'bookstore, bookshop, book store, book shop': 'shop=books',
  'toy store, toy shop': 'shop=toys',
  'clothing store, clothes shop, boutique, fashion store': 'shop=clothes|boutique',
  'shoe store, shoe shop': 'shop=shoes',
  'jeweler, jewelry store, jeweller, jewellery shop': 'shop=jewelry',
  'gift shop, souvenir shop': 'shop=gift',
  'sporting goods store, sports shop, sports store': 'shop=sports',
  'music store, instrument shop': 'shop=music|musical_instrument',
  'print shop, copy shop, printer': 'shop=copyshop',
  'self storage, storage facility, storage unit': 'shop=storage_rental',
  'funeral home, funeral director, undertaker': 'shop=funeral_directors',
  'church, parish': 'amenity=place_of_worship&religion=christian',
  'nursing home, retirement home, care home, assisted living facility':
    'amenity=nursing_home;social_facility=assisted_living|nursing_home',
  'event venue, wedding venue, conference center': 'amenity=events_venue|conference_centre',
  'caterer, catering company': 'craft=caterer',
  'farm, farm shop': 'shop=farm',
  'vegan restaurant, vegetarian restaurant': 'amenity=restaurant&diet:vegan=yes|only',
  'italian restaurant': 'amenity=restaurant&cuisine=italian',
  'mexican restaurant, taqueria, taco place': 'amenity=restaurant|fast_food&cuisine=mexican',
  'chinese restaurant': 'amenity=restaurant&cuisine=chinese',
  'indian restaurant': 'amenity=restaurant&cuisine=indian',
  'thai restaurant': 'amenity=restaurant&cuisine=thai',
  'french restaurant': 'amenity=restaurant&cuisine=french',
  'japanese restaurant, ramen shop, ramen place': 'amenity=restaurant&cuisine=japanese|ramen',
  'greek restaurant': 'amenity=restaurant&cuisine=greek',
};

/** Tags that a place must have: all of a list, each with one of its values. */
export type PlaceTags = readonly { readonly key: string; readonly values: readonly string[] }[];

export interface BusinessKind {
  /** The usual word, singular. */
  readonly word: string;
  /** Any of these. */
  readonly tags: readonly PlaceTags[];
}

const BY_WORD: ReadonlyMap<string, BusinessKind> = new Map(
  Object.entries(KINDS).flatMap(([words, tags]) => {
    const all = words.split(', ');
    const kind = { word: all[0] ?? '', tags: tags.split(';').map(tagsOf) };
    return all.map((word) => [word, kind] as const);
  }),
);

function tagsOf(text: string): PlaceTags {
  return text.split('&').map((part) => {
    const [key = '', values = ''] = part.split('=');
    return { key, values: values.split('|') };
  });
}

/** Most words of a kind: `fast food restaurant`. */
export const MAX_KIND_WORDS = 4;

/** The kind that a word or its plural names; null: unknown. */
export function businessKind(text: string): BusinessKind | null {
  const word = text.trim().toLowerCase().replace(/\s+/g, ' ');
  for (const one of [word, ...singularsOf(word)]) {
    const kind = BY_WORD.get(one);
    if (kind !== undefined) return kind;
  }
  return null;
}

/** Forms that a plural may come from. */
export function singularsOf(word: string): readonly string[] {
  return [
    ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
    ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
    ...(word.endsWith('s') ? [word.slice(0, -1)] : []),
    ...(word.endsWith("'s") ? [word.slice(0, -2)] : []),
  ];
}
