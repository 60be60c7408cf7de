/**
 * Title, description and headings of homepages as companies write them, and the industry of each.
 */
export interface LabelledText {
  readonly title: string;
  readonly description: string;
  readonly headings?: readonly string[];
  readonly types?: readonly string[];
  /** NAICS 2022; null: a careful reader could not decide. */
  readonly naics: string | null;
}

const text = (
  naics: string | null,
  title: string,
  description: string,
  more: Pick<LabelledText, 'headings' | 'types'> = {},
): LabelledText => ({ naics, title, description, ...more });

export const LABELLED_TEXTS: readonly LabelledText[] = [
  text(null, 'Stayhere: hotels, homes and cabins', 'Compare prices of hotels in 90 countries.'),
  text(null, 'Tablefinder | Restaurants near you', 'Restaurants, reviews and photos of diners.'),
  text(null, 'Globex Commerce', 'The commerce company that helps hotels, bars and museums grow.'),
  text(null, 'Payments for the internet', 'Financial infrastructure to grow your revenue.'),
  text(null, 'Where people work together', 'One place for your messages, files and calls.'),
  text(
    '621210',
    'Lakeside Dental Care | Family Dentist in Madison',
    'Gentle dentistry for the whole family: cleanings, implants and braces.',
  ),
  text(
    '621210',
    'Zahnarztpraxis Dr. Weber in Kassel',
    'Ihre Zahnarztpraxis für Prophylaxe, Implantate und ästhetische Zahnheilkunde.',
  ),
  text(
    '722511',
    'Osteria Lucca – Italian Restaurant in Denver',
    'Handmade pasta, a seasonal menu and a dining room with a view. Book your reservation.',
  ),
  text('722511', 'The Copper Pan', 'Fine dining downtown. Dinner menu by chef Ana Ruiz.', {
    headings: ['Our menu', 'Reservations'],
    types: ['Restaurant'],
  }),
  text('722515', 'Blue Door Coffee Shop', 'Espresso, latte and fresh pastries on Main Street.'),
  text('722513', "Gino's Pizzeria – Order Online", 'Pizza by the slice, takeaway and delivery.'),
  text(
    '722410',
    'The Fox & Hounds | Pub in Leeds',
    'Real ales, a beer garden and live music every Friday.',
  ),
  text(
    '722320',
    'Harvest Table Catering',
    'Event catering for weddings and offices. Buffets and plated menus.',
  ),
  text(
    '311811',
    'Bäckerei Huber – Brot aus Leidenschaft',
    'Ihre Bäckerei in Ulm mit Sauerteigbrot und Kuchen.',
  ),
  text('312120', 'Iron Creek Brewery & Taproom', 'Craft beer brewed in Bend since 2009.'),
  text(
    '312130',
    'Weingut Sonnenberg',
    'Riesling und Burgunder aus der Pfalz. Weingut mit Weinprobe.',
  ),
  text(
    '311920',
    'Northlight Coffee Roasters',
    'Single origin coffee beans from our roastery, roasted to order.',
    { headings: ['A coffee roaster since 2012'] },
  ),
  text(
    '721110',
    'Hotel Miramar | Rooms with sea view in Nice',
    'A boutique hotel with 24 rooms and suites by the beach.',
  ),
  text(
    '721191',
    'Rose Cottage Bed and Breakfast',
    'Four rooms and a full breakfast in the Cotswolds.',
  ),
  text(
    '721211',
    'Pine Lake Campground & RV Park',
    'Campsites, full hookups and cabins by the lake.',
  ),
  text(
    '541110',
    'Miller & Stone LLP | Personal Injury Lawyers',
    'A law firm that fights for you. Free case review.',
  ),
  text(
    '541110',
    'Kanzlei Berger – Rechtsanwälte in Köln',
    'Rechtsanwalt für Arbeitsrecht und Mietrecht.',
  ),
  text('541110', 'García Abogados', 'Abogados especialistas en derecho laboral y familia.'),
  text(
    '541211',
    'Hartley CPA – Accounting Firm in Tulsa',
    'Certified public accountants for audits and tax.',
  ),
  text('541213', 'QuickFile Tax Preparation', 'Fast tax return filing and the biggest refund.'),
  text(
    '541219',
    'Tidy Books Bookkeeping',
    'Monthly bookkeeping and payroll service for small shops.',
  ),
  text(
    '541310',
    'Studio Norden | Architects',
    'Architecture firm for housing and schools. Architectural design since 1998.',
  ),
  text(
    '541330',
    'Brandt Structural Engineering',
    'Engineering consultants for bridges and towers.',
    { headings: ['Structural engineering', 'Civil engineering'] },
  ),
  text('541410', 'Maison Claire Interior Design', 'Interior designers for homes with character.'),
  text(
    '541430',
    'Pixel & Ink — Branding Agency',
    'Logo design and brand identity from a small graphic design studio.',
  ),
  text(
    '541511',
    'Codewright | Custom Software Development',
    'A web development and mobile app development company.',
  ),
  text(
    '541511',
    'Atelier Web – Web Design Agency in Lyon',
    'We build fast sites: web design and WordPress for local business.',
  ),
  text('541512', 'Northgate Managed IT Services', 'IT support and cybersecurity for offices.', {
    headings: ['Your managed service provider'],
  }),
  text(
    '541611',
    'Alder Partners – Management Consulting',
    'A strategy consulting firm for the energy transition.',
  ),
  text(
    '541613',
    'Rankly | SEO Agency',
    'Digital marketing that brings leads: SEO, PPC and content marketing for dentists.',
  ),
  text(
    '541810',
    'Loud & Clear Advertising Agency',
    'A creative agency for campaigns people talk about.',
  ),
  text(
    '541820',
    'Signal PR – Public Relations',
    'A PR agency for technology brands. Media relations and press releases.',
  ),
  text(
    '541921',
    'Emma Hale Photography',
    'Wedding photographer in Cornwall. Portrait photography and engagement shoots.',
  ),
  text(
    '541930',
    'LinguaPro Translation Services',
    'A translation agency for legal and medical texts.',
  ),
  text(
    '541940',
    'Oakwood Animal Hospital',
    'Veterinary care for cats and dogs. Our veterinarians are here seven days a week.',
  ),
  text('561310', 'Keystone Executive Search', 'A recruiting firm for finance leaders.', {
    headings: ['Executive search'],
  }),
  text('561320', 'ReadyCrew Staffing Agency', 'Temporary staffing for warehouses and events.'),
  text(
    '561510',
    'Savanna Trails – Safari Tour Operator',
    'Guided tours in Kenya and Tanzania, tailor-made itineraries.',
  ),
  text('561622', '24/7 Locksmith Austin', 'Lockouts, key cutting and rekeying.'),
  text(
    '561710',
    'BugBusters Pest Control',
    'Termite control, rodents and mosquitoes: licensed exterminators.',
  ),
  text('561720', 'Sparkle Home Cleaning Service', 'House cleaning and office cleaning in Boise.'),
  text('561730', 'GreenBlade Lawn Care & Landscaping', 'Lawn mowing, mulch and garden design.'),
  text(
    '561740',
    'FreshFibers Carpet Cleaning',
    'Carpet cleaning and upholstery cleaning with steam.',
  ),
  text('562111', 'HaulAway Junk Removal', 'Dumpster rental and junk removal in Phoenix.'),
  text(
    '238220',
    "Pete's Plumbing & Heating",
    'Your local plumber: drain cleaning, water heaters, boilers.',
  ),
  text('238220', 'CoolBreeze HVAC', 'Air conditioning repair and furnace repair, same day.'),
  text(
    '238210',
    'Volt Electric – Licensed Electrician',
    'Wiring, panels and EV charger installation.',
  ),
  text('238160', 'Summit Roofing', 'Roof repair and roof replacement after storms.'),
  text('238320', 'Fresh Coat House Painters', 'Interior painting and exterior painting.'),
  text(
    '236118',
    'Dream Kitchens – Kitchen Remodeling',
    'Kitchen remodeling and bathroom remodeling contractor.',
  ),
  text('236115', 'Ridgeline Custom Homes', 'A custom home builder in the Rockies.', {
    headings: ['Home builders since 1985'],
  }),
  text(
    '332710',
    'Precision Parts Inc. – CNC Machining',
    'A machine shop for aerospace: milling and turning.',
  ),
  text(
    '484210',
    'Two Guys Moving Company',
    'Local moving and long distance moving. Packing included.',
  ),
  text(
    '488510',
    'OceanBridge Freight Forwarding',
    'A freight forwarder and customs broker for sea and air.',
  ),
  text(
    '441110',
    'Riverside Auto Dealer',
    'New cars and test drives: your car dealership in Fresno.',
    { types: ['AutoDealer'] },
  ),
  text(
    '811111',
    "Joe's Auto Repair",
    'Brake repair, oil change and engine diagnostics by honest mechanics.',
  ),
  text('811192', 'Splash Car Wash', 'Express car wash and detailing.'),
  text('456110', 'Sonnen-Apotheke Jena', 'Ihre Apotheke mit Botendienst.'),
  text('458310', 'Lumen Jewelers', 'Engagement rings and fine jewelry, made by hand.'),
  text(
    '459310',
    'Petal & Stem | Florist in Bristol',
    'Same day flower delivery and wedding bouquets.',
  ),
  text(
    '459210',
    'The Reading Room – Independent Bookstore',
    'New and used books, events and story time.',
  ),
  text('459910', 'Paws & Claws Pet Store', 'Dog food, toys and pet supplies.'),
  text('449110', 'Holz & Stil Möbelhaus', 'Möbelhaus in Bremen: Sofas, Tische, Betten.'),
  text(
    '513210',
    'Taskline – Project Management Tool',
    'The software platform that keeps teams in sync. Start a free trial.',
  ),
  text(
    '513210',
    'DentaFlow – Practice Management Software for Dentists',
    'Cloud software for dental clinics: scheduling, billing and imaging.',
  ),
  text(
    '513210',
    'Ledgerly | SaaS for restaurants',
    'Inventory and menu software that restaurants love, with an open API platform.',
  ),
  text('518210', 'BareMetal Hosting', 'Web hosting and VPS hosting on green servers.'),
  text(
    '522110',
    'First County Savings Bank',
    'Online banking, checking accounts and loans from your community bank.',
  ),
  text('522130', 'Harbor Federal Credit Union', 'Member owned since 1952.'),
  text(
    '523940',
    'Calder Wealth Management',
    'Financial planning and investment management for families.',
  ),
  text('524210', 'Shield Insurance Agency', 'Auto insurance, home insurance and life insurance.'),
  text(
    '531210',
    'Coastline Realty – Real Estate in Maine',
    'Homes for sale by the water. Find a real estate agent.',
  ),
  text('531130', 'LockBox Self Storage', 'Storage units from 5x5 to 10x30.'),
  text('532111', 'Island Car Rental', 'Rent a car at the airport.'),
  text(
    '611310',
    'Westbrook University',
    'Undergraduate and graduate programmes on a green campus.',
    { headings: ['Admissions'] },
  ),
  text('611692', 'Fahrschule Schmidt', 'Führerschein in Bonn: Ihre Fahrschule.'),
  text('624410', 'Little Acorns Daycare & Preschool', 'Child care from six weeks to five years.'),
  text('621310', 'Align Chiropractic', 'Chiropractor for back pain and sports injuries.'),
  text(
    '621330',
    'Clear Mind Counseling',
    'A licensed psychotherapist for anxiety and couples therapy.',
  ),
  text('622110', "St. Mary's Hospital", 'A medical center with a 24-hour emergency room.'),
  text('712110', 'Museum of Modern Craft', 'Exhibitions, collection and opening hours.'),
  text('713940', 'Iron House Gym', 'Fitness center with personal training and yoga.'),
  text('812111', 'Sharp & Co. Barber Shop', 'Haircuts, beard trims and hot towel shaves.'),
  text('812112', 'Salon Bella – Hair Salon', 'Balayage, color and cuts by senior stylists.'),
  text('812210', 'Evergreen Funeral Home', 'Funeral services and cremation with dignity.'),
  text('812910', 'Wagging Tails Dog Grooming', 'Dog grooming and pet boarding.'),
  text('813110', 'Grace Community Church', 'Sunday service at 10. Sermons and ministries.'),
  text('621210', 'Welcome', 'Make an appointment today.', { types: ['Dentist', 'WebSite'] }),
  text('238220', 'Bauer GmbH', 'Seit 1978 für Sie da.', { types: ['Plumber'] }),

  text(null, 'Home', 'Welcome to our website.'),
  text(null, 'Acme Inc.', 'We make things better.'),
  text(null, 'Example Domain', ''),
  text(null, 'Nordwind', 'Innovation. Quality. Trust.'),
  text(null, 'Smith Family', 'Pictures and stories of our summer.'),
  text(null, 'Vertex Solutions', 'Tailored solutions for a changing world.'),
  text(null, 'Apex Holding', 'A group of companies with 4,000 people in 12 countries.'),
  text(null, 'Coming soon', 'Our new site is being built.'),
  text(null, 'Martha Jones', 'Writer, traveller, curious person.'),
  text(null, '404 Not Found', 'The page you asked for is not here.'),
  text(null, 'Meridian Group', 'Partnering with clients to unlock potential.'),
  text(null, 'Our story', 'Founded in 1954 by two brothers.'),
  text(null, 'Hello world', 'Just another blog.'),
  text(null, 'Startseite – Müller & Söhne', 'Tradition und Qualität seit drei Generationen.'),
  text(null, 'BrightPath', 'Helping people live well.'),
  text(null, 'Login', 'Sign in to continue.'),
  text(null, 'City of Springfield', 'News, services and meetings of your city.'),
  text(
    null,
    'Top 10 restaurants, hotels and museums in Rome',
    'A guide by travellers: restaurants, hotels, museums and shops.',
  ),
  text(null, 'Jobs for dentists, lawyers and electricians', 'Find work that fits.'),
  text(
    null,
    'Directory of businesses',
    'Plumbers, florists, hotels, lawyers and dentists near you.',
  ),
  text(null, 'Lists', 'All of them.', {
    types: ['Restaurant', 'Restaurant', 'Restaurant', 'Restaurant', 'Restaurant'],
  }),
  text(null, 'Everything store', 'Shoes, books, laptops, toys, guitars and furniture.'),
  text(null, 'Alpha & Omega Ltd', 'Import and export.'),
  text(null, 'Green Valley', 'A place to be.', {
    headings: ['Contact', 'Opening hours', 'Directions'],
  }),
  text(null, 'Photos', 'My photos of bars, churches and cinemas.'),
];
