/**
 * How well a type names what a listing is about: places and local businesses first, an organization
 * when there is no place, a product when there is neither.
 */
export type EntityRank = 'business' | 'organization' | 'product';

const BUSINESSES = `LocalBusiness AnimalShelter ArchiveOrganization AutomotiveBusiness AutoBodyShop AutoDealer AutoPartsStore
AutoRental AutoRepair AutoWash GasStation MotorcycleDealer MotorcycleRepair ChildCare Dentist DryCleaningOrLaundry
EmergencyService FireStation Hospital PoliceStation EmploymentAgency EntertainmentBusiness AdultEntertainment AmusementPark
ArtGallery Casino ComedyClub MovieTheater NightClub FinancialService AccountingService AutomatedTeller BankOrCreditUnion
InsuranceAgency FoodEstablishment Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FastFoodRestaurant IceCreamShop
Restaurant Winery GovernmentOffice PostOffice HealthAndBeautyBusiness BeautySalon DaySpa HairSalon HealthClub NailSalon
TattooParlor HomeAndConstructionBusiness Electrician GeneralContractor HVACBusiness HousePainter Locksmith MovingCompany
Plumber RoofingContractor InternetCafe LegalService Attorney Notary Library LodgingBusiness BedAndBreakfast Campground
Hostel Hotel Motel Resort SkiResort VacationRental MedicalBusiness CommunityHealth Dermatology DietNutrition Emergency
Geriatric Gynecologic MedicalClinic CovidTestingFacility Midwifery Nursing Obstetric Oncologic Optician Optometric
Otolaryngologic Pediatric Pharmacy Physician IndividualPhysician PhysiciansOffice Physiotherapy PlasticSurgery Podiatric
PrimaryCare Psychiatric PublicHealth VeterinaryCare DiagnosticLab ProfessionalService RadioStation RealEstateAgent
RecyclingCenter SelfStorage ShoppingCenter SportsActivityLocation BowlingAlley ExerciseGym GolfCourse PublicSwimmingPool
SportsClub StadiumOrArena TennisComplex Store BikeStore BookStore ClothingStore ComputerStore ConvenienceStore
DepartmentStore ElectronicsStore Florist FurnitureStore GardenStore GroceryStore HardwareStore HobbyShop HomeGoodsStore
JewelryStore LiquorStore MensClothingStore MobilePhoneStore MovieRentalStore MusicStore OfficeEquipmentStore OutletStore
PawnShop PetStore ShoeStore SportingGoodsStore TireShop ToyStore WholesaleStore TelevisionStation TouristInformationCenter
TravelAgency Place EventVenue CivicStructure MusicVenue PerformingArtsTheater Museum Park Zoo Aquarium PlaceOfWorship
Church Mosque Synagogue HinduTemple BuddhistTemple CatholicChurch LandmarksOrHistoricalBuildings TouristAttraction Beach
Cemetery Residence ApartmentComplex Apartment House SingleFamilyResidence GatedResidenceCommunity Accommodation
CampingPitch Suite Chiropractor Caterer FoodTruck ParkingFacility EducationalOrganization School Preschool
ElementarySchool MiddleSchool HighSchool CollegeOrUniversity Airport TrainStation FuneralHome Landscaper
SeniorLiving NursingHome AssistedLivingFacility`;

const ORGANIZATIONS = `Organization Corporation NGO NewsMediaOrganization OnlineBusiness OnlineStore
GovernmentOrganization MedicalOrganization SportsOrganization SportsTeam PerformingGroup Consortium FundingScheme
LibrarySystem Project ResearchOrganization WorkersUnion Airline PoliticalParty CreditUnion Cooperative`;

const ranks = new Map<string, EntityRank>([
  ...ORGANIZATIONS.split(/\s+/).map((type) => [type.toLowerCase(), 'organization'] as const),
  ...BUSINESSES.split(/\s+/).map((type) => [type.toLowerCase(), 'business'] as const),
  ['product', 'product'],
  ['productgroup', 'product'],
]);

/** Endings of types that people make up (`PlumbingService`, `VegetarianRestaurant`). */
const BUSINESS_ENDING =
  /(?:restaurant|store|shop|clinic|hotel|salon|business|contractor|company|dealer|agency|repair|cafe|bar|center|venue|facility|practice|hospital|lodging)$/i;
/** `VideoGallery`, `WebPage` and the like end so too, but are pages. */
const NO_BUSINESS =
  /^(?:web|item|collection|search|about|contact|faq|qa|profile|medical(?:web|condition))/i;

export function rankOf(types: readonly string[]): EntityRank | undefined {
  const known = types.map((type) => ranks.get(type.toLowerCase()));
  if (known.includes('business')) return 'business';
  if (known.includes('organization')) return types.some(isMadeUp) ? 'business' : 'organization';
  if (known.includes('product')) return 'product';
  return types.some(isMadeUp) ? 'business' : undefined;
}

const isMadeUp = (type: string): boolean =>
  !ranks.has(type.toLowerCase()) && BUSINESS_ENDING.test(type) && !NO_BUSINESS.test(type);

const ARTICLES =
  /^(?:(?:news|blog|scholarly|tech|satirical|advertiser|opinion|report|review|analysis|social)?(?:article|newsarticle|posting|mediaposting)|blogposting|newsarticle|liveblogposting|discussionforumposting|recipe|jobposting|howto|course|event|musicevent|book|movie|softwareapplication|webapplication|videoobject|podcastepisode|qapage|dataset)$/i;

/** Things a page can be about instead of a business. */
export const isOtherSubject = (types: readonly string[]): boolean =>
  types.some((type) => ARTICLES.test(type));
