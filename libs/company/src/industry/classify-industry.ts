import { collapse, textOf, typesOf, walk, type JsonLdItem, type ReadablePage } from '@app/content';
import type { Industry } from '../brand-reading.js';
import type { IndustryRow } from './industry-row.js';
import { TermIndex } from './term-index.js';
import { TYPE_INDUSTRIES } from './type-industries.js';
import { CARE_AND_LEISURE } from './care-and-leisure.js';
import { INFORMATION_AND_FINANCE } from './information-and-finance.js';
import { RETAIL } from './retail.js';
import { SERVICES } from './services.js';
import { TRADES_AND_GOODS } from './trades-and-goods.js';

/** The industries that companies are classified in, each once. */
export const INDUSTRIES: readonly IndustryRow[] = [
  ...TRADES_AND_GOODS,
  ...RETAIL,
  ...INFORMATION_AND_FINANCE,
  ...SERVICES,
  ...CARE_AND_LEISURE,
];

/** Weight of a word by its place; in one place it counts once. */
const FIELD_WEIGHTS = { title: 3, description: 2, heading: 1.5, keywords: 1 } as const;
const STRONG = 2;
const WEAK = 0.5;
/** A type is stated for machines: it is never written in passing. */
const TYPE_POINTS = 10;
/** So many things of one type are what a page lists, not what its company is. */
const MAX_OF_TYPE = 3;

/**
 * Leisure, lodging and food: the owner of one writes `hotel`; a site that lists or sells many writes `hotels`.
 */
const VENUES = /^7[12]/;

/** Fewer points than those of one strong word in a title are no proof. */
const ENOUGH_POINTS = 6;
/** The best has to be so much better than the next, or what it is stays open. */
const CLEAR_LEAD = 1.25;
/** Of one industry group (four digits) the best is believed more readily. */
const CLEAR_LEAD_IN_GROUP = 1.05;

/** Industries in which digital words say nothing against what a company is. */
const DIGITAL_INDUSTRIES = /^(?:51|52|54|56|61)/;
/** Words in places that must speak for a trade where digital words speak against it. */
const ENOUGH_BESIDE_DIGITAL = 3;
/** Of one word in one place: whether the text means it, nothing else says. */
const LONE_CONFIDENCE = 0.5;

const FIRM_POINTS = 20;
const LEAST_CONFIDENCE = 0.5;
const MOST_CONFIDENCE = 0.95;

interface Scored {
  readonly row: IndustryRow;
  readonly points: number;
  /** Types, and words by place, that speak for it. */
  readonly signs: number;
  /** The same words and types, each once. */
  readonly terms: number;
}

/**
 * The industry of a company by the types that its page states and the words of its title,
 * description, headings and keywords. Undefined unless one industry clearly leads: no answer is
 * better than a wrong one. Words that name whom something is for (`software for dentists`) do not
 * count as what the company is. The same texts give the same answer.
 */
export function classifyIndustry(text: CompanyText): Industry | undefined {
  const points = new Points();
  points.addTypes(text.types);
  points.addText(text.title, FIELD_WEIGHTS.title);
  points.addText(text.description, FIELD_WEIGHTS.description);
  points.addText(text.headings.join(' . '), FIELD_WEIGHTS.heading);
  points.addText(text.keywords, FIELD_WEIGHTS.keywords);
  const [best, ...others] = points.ranked();
  if (best === undefined || best.points < ENOUGH_POINTS) return undefined;
  if (isBorrowed(best, text) || isTaught(best, text) || isReported(best, text)) return undefined;
  const lead = leadOf(best, others);
  if (lead < 1) return undefined;
  const { naics, title } = best.row;
  const confidence = best.signs < 2 ? LONE_CONFIDENCE : confidenceOf(best.points, lead);
  return { naics, title, confidence };
}

/** The name of a trade on a digital company. A type or several words of the trade are no figure of speech. */
function isBorrowed({ row, points, signs, terms }: Scored, text: CompanyText): boolean {
  // One word again and again may be a company's name.
  const isEnough = signs >= ENOUGH_BESIDE_DIGITAL && terms > 1;
  if (DIGITAL_INDUSTRIES.test(row.naics) || isEnough) return false;
  return (
    !isStated(row, text) &&
    points < FIRM_POINTS &&
    isDigital(`${text.title} ${text.description} ${text.headings.join(' ')}`)
  );
}

/** A school's page about a course names the trade that it teaches. */
function isTaught({ row }: Scored, { title, types }: CompanyText): boolean {
  const isSchool = SCHOOL.test(title) || types.some((type) => SCHOOL_TYPES.has(type));
  return isSchool && COURSE.test(title) && !row.naics.startsWith(EDUCATION);
}

/** News about a trade, rankings, reviews and job lists are not companies of it. */
function isReported({ row }: Scored, text: CompanyText): boolean {
  const isReport = REPORT.test(text.title) || text.types.some((type) => ARTICLE.test(type));
  return isReport && !PUBLISHING.test(row.naics) && !isStated(row, text);
}

/** By a type, which is written for machines. */
const isStated = ({ naics }: IndustryRow, { types }: CompanyText): boolean =>
  types.some((type) => typeIndustry(type) === naics);

const ARTICLE = /Article$|Posting$|^(?:QAPage|Question|HowTo|Report)$/;

const PUBLISHING = /^51(?:31|61)/;
const REPORT =
  /(?<!\p{L})(?:news|magazine|reviews|rankings?|ranked|awards?(?! winning|-winning)|jobs|careers|topics?|top \d+|nachrichten|stellenangebote|actualités|emplois|noticias|empleos|how to|what is|tips|trends|best practices|beginners|ultimate guide|complete guide)(?!\p{L})/iu;
const EDUCATION = '61';
const SCHOOL_TYPES = new Set([
  'CollegeOrUniversity',
  'EducationalOrganization',
  'Course',
  'School',
]);
const SCHOOL =
  /(?<!\p{L})(?:universit\p{L}{1,4}|college|school|academy|institute|education|learn|hochschule|akademie|université|universidad)(?!\p{L})/iu;
const COURSE =
  /(?<!\p{L})(?:courses?|certificates?|certification|degrees?|diploma|bootcamp|programs?|programmes?|major|bachelor\p{L}{0,2}|master(?:['’]?s)?|professional|studium|studiengang|lehrgang)(?!\p{L})/iu;

const typeIndustry = (type: string): string | undefined =>
  Object.hasOwn(TYPE_INDUSTRIES, type) ? TYPE_INDUSTRIES[type] : undefined;

/** The lead of the best over the others, as a multiple of the required lead; below 1: not enough. */
function leadOf(best: Scored, others: readonly Scored[]): number {
  const leads = others.map(({ row, points }) => {
    const isKin = row.naics.slice(0, 4) === best.row.naics.slice(0, 4);
    return best.points / points / (isKin ? CLEAR_LEAD_IN_GROUP : CLEAR_LEAD);
  });
  return Math.min(Infinity, ...leads);
}

/** By points (up to {@link FIRM_POINTS}) and lead (up to twice what is enough), half each. */
function confidenceOf(points: number, lead: number): number {
  const firmness = Math.min(1, (points - ENOUGH_POINTS) / (FIRM_POINTS - ENOUGH_POINTS));
  const clearness = Math.min(1, lead - 1);
  const share = (firmness + clearness) / 2;
  const confidence = LEAST_CONFIDENCE + share * (MOST_CONFIDENCE - LEAST_CONFIDENCE);
  return Math.round(confidence * 100) / 100;
}

class Points {
  private readonly points = new Map<string, number>();
  private readonly signs = new Map<string, number>();
  private readonly terms = new Map<string, Set<string>>();

  addTypes(types: readonly string[]): void {
    for (const type of new Set(types)) {
      const naics = typeIndustry(type);
      const isOwn = types.filter((one) => one === type).length <= MAX_OF_TYPE;
      if (naics !== undefined && isOwn) this.add(naics, type, TYPE_POINTS);
    }
  }

  addText(text: string, weight: number): void {
    for (const { term, naics, isStrong, isAside, isPlural } of TERMS.termsIn(text)) {
      const isProof = isStrong && !(isPlural && VENUES.test(naics));
      if (!isAside) this.add(naics, term, weight * (isProof ? STRONG : WEAK));
    }
  }

  /** Of equals the lower code first. */
  ranked(): readonly Scored[] {
    return INDUSTRIES.map((row) => ({
      row,
      points: this.points.get(row.naics) ?? 0,
      signs: this.signs.get(row.naics) ?? 0,
      terms: this.terms.get(row.naics)?.size ?? 0,
    }))
      .filter(({ points }) => points > 0)
      .sort(
        (one, other) => other.points - one.points || (one.row.naics < other.row.naics ? -1 : 1),
      );
  }

  private add(naics: string, term: string, points: number): void {
    this.terms.set(naics, (this.terms.get(naics) ?? new Set()).add(term));
    this.points.set(naics, (this.points.get(naics) ?? 0) + points);
    this.signs.set(naics, (this.signs.get(naics) ?? 0) + 1);
  }
}

const TERMS = new TermIndex(INDUSTRIES);

/**
 * Words of companies that make or sell something digital. Such a company likes to borrow the name
 * of a trade: `a bakery of user interfaces`, `the gym for your code`.
 */
const DIGITAL =
  /(?<![\p{L}\p{N}])(?:software|apis?|sdks?|developers?|devops|code|coding|saas|ui|ux|user interfaces?|interfaces|websites|platform|frameworks?|plugins?|components|open[ -]source|analytics|dashboards?|pixels?|javascript|typescript|react|pipelines?|datasets?|databases?|data|cloud|machine learning|ai)(?![\p{L}\p{N}])/iu;

const isDigital = (text: string): boolean => DIGITAL.test(text);

/** Texts that name a company's line of business, by place. */
export interface CompanyText {
  /** schema.org types of the things that the page describes. */
  readonly types: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly keywords: string;
}

const MAX_HEADINGS = 12;
const MAX_HEADING_CHARS = 200;
const MAX_FIELD_CHARS = 1_000;

/** Other pages of the same systems are articles to Open Graph, too, but were not published on a day. */
const isPost = ({ described }: ReadablePage['parsed']): boolean =>
  described.some(({ attribs }) => attribs.property === 'article:published_time');

/** What a page says of its company's line of business. */
export function companyText(
  { parsed, metadata }: ReadablePage,
  items: readonly JsonLdItem[],
): CompanyText {
  const headings: string[] = [];
  walk(parsed.document, {
    text: () => undefined,
    enter: (element) => {
      if (element.name !== 'h1' && element.name !== 'h2') return element.name !== 'template';
      const text = collapse(textOf(element, 4 * MAX_HEADING_CHARS));
      if (text !== '') headings.push(text.slice(0, MAX_HEADING_CHARS));
      return false;
    },
    isDone: () => headings.length >= MAX_HEADINGS,
  });
  const field = (text: string | undefined): string => (text ?? '').slice(0, MAX_FIELD_CHARS);
  return {
    types: [...items.flatMap(typesOf), ...(isPost(parsed) ? ['Article'] : [])],
    title: field(metadata.title),
    description: field(metadata.description),
    headings,
    keywords: field(metadata.keywords),
  };
}
