/** Headings and paths of what presents the people of a company. */
const TEAM =
  /\bteams?\b|\bstaff\b|\bcrew\b|^(?:(?:our|the|executive|senior|global|firm|company|practice|meet)\s){0,3}leadership\b|\bleadership (?:team|group|council|committee)\b|\b(?:our|the|meet the) people\b|^people\b.{0,3}$|\bwho we are\b|\bmeet (?:the|our|your|us)\b|\bthe (?:founders|family|owners|people)\b|\bfounders?\b|\bour (?:attorneys|lawyers|doctors|dentists|providers|physicians|veterinarians|vets|experts|agents|stylists|therapists|instructors|teachers|coaches|chefs|consultants|advisors|guides|faculty|board|owners|officers|directors|partners|professionals|specialists|makers|artists|practitioners|clinicians|brokers|realtors|technicians|employees)\b|\b(?:attorneys|lawyers|directory|faculty|providers|physicians|officers|trustees)\b|^(?:(?:our|the|executive|senior|firm|company)\s){0,3}management\b.{0,20}$|^(?:the |our )?board$|\bboard (?:of|members)\b|\b(?:executive|advisory) (?:committee|board)\b|\bexecutives\b|\bansprechpartner|mitarbeiter|geschäfts(?:führung|leitung)|\bvorstand\b|\bdas sind wir\b|\bunsere (?:ärzte|anwälte|rechtsanwälte|köpfe|leute)|\bwer wir sind\b|\bköpfe\b|équipe|\bequipe\b|collaborateurs|\bnos (?:avocats|associés|experts|praticiens)|\bdirection\b|\bequipo\b|\bnuestr[oa]s (?:abogad|profesional|médic|soci)|quiénes somos|\bsquadra\b|\bchi siamo\b|\bprofessionisti\b|\bsoci\b|\bequipa\b|\bquem somos\b|\bons team\b|\bmedewerkers\b|\bwie zijn wij\b|\bzespół\b|\bkadra\b|\bzarząd\b|\btým\b|\btiimi\b|henkilöstö|yhteyshenkilöt|medarbei?[jt]?der|medarbetare|\bansatte\b|\bstyrelse|\bledning|\bledelse|役員|スタッフ|メンバー|チーム|社員|团队|команда|сотрудники/iu;
/** Headings of blocks about others, whatever they share with the words above. */
const OTHERS =
  /^(?:our )?partners$|\b(?:testimonials?|reviews?|what .{0,30}(?:clients|customers|patients|people|guests) (?:say|are saying|think)|happy (?:clients|customers)|blog|news|latest|articles?|posts?|stories|case stud|our (?:clients|customers|sponsors|suppliers)|partners & |sponsors|join (?:our|the) team|careers?|jobs?|open positions|vacancies|we(?:'|’)re hiring|why (?:choose )?us|values|mission|brands|investors?|backed by|donors?|vendors?|suppliers?|producers|growers|certifications?|awards?|nearby|talks|(?:loved|trusted|used) by|history|products?|services|portfolio|projects|faq|newsletter|gallery|contact|locations?|events?)\b|kundenstimmen|das sagen|stellenangebote|verstärkung|unsere werte|karriere|leistungen|referenzen|aktuelles|témoignages|avis|actualités|recrutement|opiniones|testimonios|noticias|valores|misión|dicono di noi|recensioni|lavora con noi|i nostri valori|våra |våre |vores |お客様の声|採用|ニュース/iu;

/** Teams and people of customers, and a team as a subject: "Built for every team", "People love us". */
const ANY_TEAM =
  /\b(?:for|across|with|your|any|every|all|other|most|more|between|millions|thousands) (?:\p{L}{1,20} ){0,2}(?:teams?|people|staff|crew)\b|\bteams (?:everywhere|use|love|trust|choose|like|who|that|can)\b|\b(?:what|why|how|where) (?:\p{L}{1,20} ){0,2}(?:people|teams)\b|\bpeople (?:are|use|love|trust|choose|across|say|who|from|in|on)\b|\bteam (?:concepts|building|work|plans?|pricing|management|skills)\b|^(?:about (?:the|our) )?project management\b/iu;

const TEAM_PATH =
  /(?:^|[/_-])(?:teams?|staff|people|leadership|management|crew|attorneys|lawyers|doctors|providers|dentists|physicians|directors|board|faculty|officers|agents|stylists|who-we-are|founders|mitarbeiter|ansprechpartner|geschaeftsfuehrung|geschaeftsleitung|vorstand|wer-wir-sind|equipe|notre-equipe|qui-sommes-nous|collaborateurs|equipo|nuestro-equipo|quienes-somos|chi-siamo|squadra|professionisti|quem-somos|medewerkers|ons-team|zespol|kadra|tym|nas-tym|tiimi|henkilosto|medarbejdere|medarbetare|ansatte|yakuin|members?|officer)(?:$|[/_.-])/i;
const ABOUT_PATH =
  /(?:^|[/_-])(?:about|about-?us|company|our-(?:company|story|firm|practice)|story|firm|practice|ueber-uns|uber-uns|unternehmen|kontakt|contact|contact-?us|contacts?|contacto|contatti|contato|impressum|imprint|legal-notice|mentions-legales|a-propos|apropos|entreprise|societe|nosotros|sobre|sobre-nosotros|empresa|azienda|studio|over-ons|bedrijf|o-nas|o-firmie|om-oss|om-os|om|yritys|company|gaiyou|profile|corporate)(?:$|[/_.-])/i;

export const isTeamHeading = (text: string): boolean =>
  text.length <= 100 && TEAM.test(text) && !OTHERS.test(text) && !ANY_TEAM.test(text);

export const isOtherPeopleHeading = (text: string): boolean =>
  text.length <= 120 && OTHERS.test(text);

/** Pages about customers, whatever else their address says. */
const VOICES_PATH =
  /(?:^|[/_-])(?:testimonials?|reviews?|case-?stud(?:y|ies)|customer-?stories|success-?stories)(?:$|[/_.-])/i;

/** How much a page is about the people of the company, by its address. */
export function pageSubject(url: string): 'team' | 'about' | 'other' {
  const path = decodedPath(url);
  if (VOICES_PATH.test(path)) return 'other';
  if (TEAM_PATH.test(path)) return 'team';
  return ABOUT_PATH.test(path) ? 'about' : 'other';
}

function decodedPath(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '').slice(0, 500);
  try {
    return decodeURIComponent(path).normalize('NFKD').replace(/\p{M}/gu, '');
  } catch {
    // A stray percent sign: the words are readable without it.
    return path;
  }
}
