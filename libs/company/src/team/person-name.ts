import { collapse } from '@app/content';
import { MAX_NAME_CHARS } from '../limits.js';

const LETTER = "[\\p{L}\\p{M}'’ʼ`]";
/** Anna, O'Neil, Jean-Luc, McKay, D’Angelo, ANNA. */
const NAME_WORD = new RegExp(`^\\p{Lu}${LETTER}*(?:[-‐]\\p{L}${LETTER}*){0,3}$`, 'u');
const INITIAL = /^\p{Lu}\.?(?:-?\p{Lu}\.?)?$/u;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|junior|senior)\.?$/i;
const EAST_ASIAN =
  /^[\p{sc=Han}々ヶ]{1,4}[ \u3000]?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}々ー]{1,5}$/u;
/** Parts of Chinese and Japanese headings. */
const EAST_ASIAN_HEADING =
  /会社|概要|案内|株式|社員|採用|情報|代表|取締|社長|部長|沿革|理念|事業|役員|紹介|挨拶|所在|設立|資本|電話|住所|営業|時間|製品|商品|一覧|公司|关于|聯|联系|团队|産業|工業|製作|組織|部門|業務|内容|従業|取引|銀行|本社|支店|工場|アクセス|スタッフ|メンバー|ニュース|お問/;
const HANGUL = /^\p{sc=Hangul}{2,4}$/u;
const PRONOUNS = /\s\((?:she|he|they|sie|er|elle|il|ella)\b[^)]{0,20}\)/i;
/** Most lines fail here, at their first character or length; cells of a row are not one name. */
const MAY_BE_NAME = /^\s*["“„'(]?[\p{Lu}\p{Lo}][^\t]{1,120}$/u;
const MAX_WORDS = 6;

/**
 * The name in a text that is one person's name and nothing else, without titles in front and
 * degrees behind; undefined of other texts.
 * @param minWords a given name alone is a name only where more speaks for it
 */
export function personName(text: string, minWords = 2): string | undefined {
  if (!MAY_BE_NAME.test(text)) return undefined;
  const bare = collapse(text)
    .replace(PRONOUNS, '')
    .replace(/(?<![*†®™\u200b])[*†®™\u200b]+$/u, '')
    .trim();
  if (bare.length < 2 || bare.length > MAX_NAME_CHARS) return undefined;
  if (EAST_ASIAN.test(bare)) return EAST_ASIAN_HEADING.test(bare) ? undefined : bare;
  if (HANGUL.test(bare)) return bare;
  if (/[\d@:;!?/&|=<>_#…{}[\]\\]|https?/.test(bare)) return undefined;
  const words = withoutTitles(withoutCredentials(bare));
  if (words.length < minWords || words.length > MAX_WORDS || words.length === 0) return undefined;
  return isName(words) ? words.join(' ') : undefined;
}

/** "Anna Lee, CPA, MBA" and "Anna Lee MD" without what follows the name. */
function withoutCredentials(text: string): readonly string[] {
  const [name = '', ...rest] = text.split(/(?:(?<!\s)\s+)?,\s*/);
  if (!rest.every((part) => part.split(/\s+/).every(isBehindName))) return [];
  const words = name.split(' ');
  while (words.length > 2 && isCredential(words.at(-1) ?? '')) words.pop();
  return words;
}

const isBehindName = (word: string): boolean =>
  isCredential(word) || SUFFIX.test(word) || ABBREVIATION.test(word);

/** Text behind a comma with two capitals is a degree that no list has: BVSc, CISR. */
const ABBREVIATION = /^(?=(?:.*\p{Lu}){2})\p{L}[\p{L}.-]{1,8}®?$/u;

const isCredential = (word: string): boolean => {
  const bare = word.replace(/[.,®]/g, '');
  // An initial or a suffix is part of the name; degrees are written in capitals.
  return (
    /^\p{Lu}/u.test(bare) &&
    bare.length > 1 &&
    CREDENTIALS.has(bare.toLowerCase()) &&
    !SUFFIX.test(bare)
  );
};

function withoutTitles(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !isTitle(word));
  return first === -1 ? [] : words.slice(first);
}

const isTitle = (word: string): boolean => {
  const bare = word.replace(/[.()]/g, '').toLowerCase();
  if (bare === '') return true;
  // `M.` may be an initial: a title only where it is written as one.
  if (bare.length === 1) return false;
  return bare.split('-').every((part) => TITLES.has(part)) || TITLES.has(bare);
};

function isName(words: readonly string[]): boolean {
  const [first = ''] = words;
  const last = words.at(-1) ?? '';
  if (!words.every((word, index) => isNamePart(word) || (index > 0 && isParticle(word))))
    return false;
  if (PARTICLES.has(first) || PARTICLES.has(last)) return false;
  // At least one word of some length: "A. B." is no name.
  return words.some((word) => NAME_WORD.test(word) && word.length > 1) && isNameEnd(last);
}

/** Also as some families write it: Étienne de La Tour, Michael St. James. */
const isParticle = (word: string): boolean => PARTICLES.has(word.replace(/\.$/, '').toLowerCase());

const isNameEnd = (word: string): boolean =>
  NAME_WORD.test(word) || SUFFIX.test(word) || INITIAL.test(word);

function isNamePart(word: string): boolean {
  if (PARTICLES.has(word) || INITIAL.test(word) || SUFFIX.test(word)) return true;
  // A nickname: William "Bill" Hayes, Robert (Bob) Lee.
  const bare = word.replace(/^["“”„'(‘«]+|(?<!["“”'’)»])["“”'’)»]+$/gu, '');
  return NAME_WORD.test(bare) && !isBrand(bare) && !isNoName(bare.toLowerCase());
}

/** GitHub, HubSpot: a capital inside, but for McKay, DeVito, O'Neil, JoAnn and the like. */
const isBrand = (word: string): boolean => /\p{Ll}\p{Lu}/u.test(word) && !CAPITAL_INSIDE.test(word);
const CAPITAL_INSIDE =
  /^(?:Mc|Mac|Mag|De|Del|Della|Des|Di|Da|Dal|Do|Du|La|Le|Li|Lo|Lu|Van|Von|Vander|Ver|Ter|Ten|Fitz|Saint|St|Al|El|Abd|Abu|Ibn|Ben|Bin|Bar|Ap|Jo|Mary|Anna?|Lee|Lou|Sue|Ray|Rose|Beth|Kay|Ma|Mi|Ni|Te|Tu)['’]?\p{Lu}|['’]\p{Lu}/u;

/** Ends of nouns that no family is named by: Workflow Automation, Data Visibility. */
const NOUN_END = /.{3}(?:ations?|itions?|ctions?|bility|bilities|izing|ising|ology|ological)$/;

const isNoName = (word: string): boolean => NO_NAME_WORDS.has(word) || NOUN_END.test(word);

/** What all spellings of one name share. */
export const nameKeyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();

/** Words of headings and navigation that are in no name. Lower case. */
const NO_NAME_WORDS: ReadonlySet<string> = new Set(
  `about api appendix chapter constant description documentation index introduction manual reference academy ventures labs fund packs matters admissions certifications accessibility account accounting address administration admissions advisors
  advisory agency all and angebot apartment apply appointment appointments areas article articles
  associates attorneys avenue award awards back bakery bank bar benefits best billing blog board
  boards book booking boulevard branch brand brands brewery bridge brothers building business buy
  cafe call cancer capital care career careers cart case cases catering center centre certified
  charity chat check checkout city class classes cleaning client clients clinic club coffee
  collection college commercial community companies company compliance concept conditions
  construction consulting contact contacts contractors cookie cookies core corporate corporation
  council county course courses creative credit culture custom customer customers customs data
  deals defense delivery dental department departments design details development digital dining
  directions director directors discover division documents donate download downtown drive
  education electric email emergency employees employment energy engagement engineering
  enterprise environment equipment equity estate event events excellence executive executives
  experience experts explore express facilities family farm farms faq faqs featured features
  festival finance financial find first fleet follow food for forum founders founding foundation
  free friends fund gallery garden gardens general get gift global green group guide happy health
  healthcare heating help here highlights highway history holdings home homepage hospital hotel
  hours house how human ideas impact important industrial industries industry info information
  innovation insights inspection install installation insurance integrity international interior
  inventory investment investors island job jobs join journal journey kitchen lab land language
  latest law leadership legal let lending library license life limited link links live living llc
  local location locations login logistics low made mailing maintenance make management map
  market marketing materials media medical meet member members membership menu message mission
  moderna modern monday more mortgage mount museum music my national navigation network new news
  newsletter next notice now of office offices online open opening operations opportunities order
  orders organization our outdoor overview pages parking partner partners partnership parts
  patient patients payment people performance phone photos pizza place plan planning plans
  plumbing policies policy popular portfolio power practice premium press pricing print privacy
  pro process product production products professional program programs project projects
  properties property public purpose quality questions quick quote read real recent recipes
  recommended references related release rentals repair report request research reservations
  residential resources respect responsibility restaurant result results retail return returns
  reviews rights river road roofing room rooms safety sale sales salon saturday schedule school
  science search season security see self send senior service services share shipping shop show
  sign site sitemap skills small social society software solar solution solutions spa special
  specials sponsors square staff start state station statement stay step steps store stores
  stories story strategy street strength studio studios subscribe success sunday support supply
  surgery sustainability systems talk team teams tech technologies technology terms testimonials
  thank thanks the therapy things this thursday time today tools top tour tours town track trade
  training transportation travel treatment trust tuesday us use user valley value values vehicle
  venue video view vision visit volunteer voices warranty water we website wednesday week welcome
  what when where white who why wine with work working workshop world yard year years you your
  inc gmbh ag kg ug ohg ltd plc sarl sas srl bv nv oy ab aps pty alle allgemeine angebote anfahrt
  ansprechpartner ansprechpartnerin anfrage arbeit aktuelles beratung bereich betrieb bewertungen
  datenschutz dienstleistungen einblicke firma galerie geschichte geschäftsführung gesellschaft
  gruppe haftung impressum informationen inhalt jahre jetzt karriere kanzlei kontakt kunden
  kundenstimmen leistungen leitbild leitung lieferung mehr mitarbeiter mitarbeiterinnen
  neuigkeiten öffnungszeiten partnern philosophie praxis produkte projekte qualität referenzen
  rechtliche sprechzeiten standort standorte stellenangebote telefon termin termine tradition
  über uns unser unsere unternehmen verantwortung vertrieb verwaltung vorstand warum webseite
  weitere weiterlesen werkstatt werte wir zahlung zertifikate und der die das für accueil
  actualités adresse agence à avis boutique cabinet carrière chez collaborateurs confidentialité
  découvrir devis entreprise équipe équipes espace expertise fondateurs formation histoire
  horaires infos légales mentions métiers notre nos nouveautés offres partenaires politique
  prestations produits propos qui réalisations recrutement réservation savoir-faire sommes suivez
  valeurs vos votre acerca aviso ayuda bienvenidos clientes conócenos contacto contáctanos
  directiva empleo empresa equipo galería gracias historia horario inicio misión nosotros
  noticias nuestra nuestras nuestro nuestros ofertas pedidos políticas preguntas privacidad
  productos proyectos quiénes reservas servicios sobre somos tienda trabaja ubicación valores
  visión azienda contatti filosofia galleria la lavora missione negozio nostra nostri nostro
  novità offerte ordini orari prenota prodotti progetti servizi siamo soci storia squadra contato
  equipe notícias nossa nossos produtos projetos serviços bedrijf diensten klanten medewerkers
  missie nieuws onze openingstijden over ons producten projecten vacatures wie zijn waarom
  aktualności kariera klienci nas oferta o zespół nasz nasza realizacje usługi om oss kontakta
  tjänster medarbetare ansatte jobba kunder våra vårt vores january february march july september
  october november december reel dream seamless rapid instant instantly secure reliable trusted
  flexible powerful advanced automated automatic scalable unlimited dedicated personalised
  personalized prototyping downtime insights workflow workflows pipeline pipelines dashboard
  dashboards platform software hardware analytics forecasting onboarding operational predictive
  resilience revenue growth conversion conversions transparency accountability craftsmanship
  teamwork honesty empathy curiosity ownership simplicity agility tooling troubleshooting
  affordable comprehensive exceptional unmatched proven payroll commission studies incident incidents
  reporting evaluation burnout attachment attachement habits esteem anxiety occupational copilot
  assistant housing purchases support surround partial controller`.split(/\s+/),
);

/** Words in lower case inside of names. */
const PARTICLES: ReadonlySet<string> = new Set(
  'von van vom zum zur zu de der den del della dello dalla da dos das do di du des la le el al bin ben ibn ter ten af av y e i und te in ’t d l st'.split(
    ' ',
  ),
);

/** Titles in front of a name; they are no part of it. Without dots, lower case. */
const TITLES: ReadonlySet<string> = new Set(
  'dr prof professor mr mrs ms mx miss sir dame rev reverend pastor father fr sister brother rabbi hon capt captain lt sgt col gen chef coach herr frau mag dipl ing dipl-ing dipl-kfm dipl-kffr dipl-betriebsw dipl-psych ra rain stb wp med dent vet habil univ mme mlle m me maître maitre monsieur madame sr sra srta doña dña lic arq abg sig sigra dott dottssa avv arch geom rag ing mgr bc mudr mvdr judr phdr lek adw dhr mevr mw drs ir dra d-r'.split(
    ' ',
  ),
);

/** Degrees and licences behind a name. Without dots, lower case. */
const CREDENTIALS: ReadonlySet<string> = new Set(
  'phd md do dds dmd dvm vmd jd esq cpa cfa cfp rn bsn msn np fnp fnp-c fnp-bc aprn pa pa-c lpn cna lcsw lmft lmhc lpc lmsw lcpc licsw msw ma ms mba bs ba bsc msc meng mfa mpa mph med edd psyd pharmd dpt pt ot otr otr/l ccc-slp slp od dc lac nd rdn rd rdh ceo cfo aia faia ncarb leed ap leed-ap pe se pls rla asla pmp shrm-cp shrm-scp sphr phr clu chfc cic aams ea enrolled facs faap facog facp faan fagd llm llb ll.m llb cissp cism gri crs abr crb ra mbe obe frcs mrcs mrcgp mrcvs riba arb aca acca fca cga cma cgma frics mrics kc qc sc iv'.split(
    ' ',
  ),
);
