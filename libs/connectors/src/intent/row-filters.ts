/** What rows must have, in the words of parameters. */
export interface RowFilters {
  readonly has_website?: boolean;
  readonly has_phone?: boolean;
  readonly min_rating?: number;
}

export interface FilteredText {
  /** Without the words of the filters. */
  readonly text: string;
  readonly filters: RowFilters;
}

const OWN = String.raw`(?:that |who |which |those |ones )*(?:with|have|has|having|do have|got)(?: an?| their own| any)?`;
const LACKING = String.raw`(?:that |who |which |those |ones )*(?:without|have no|has no|with no|lacking|don'?t have|do not have)(?: an?| any)?`;
const SITE = String.raw`(?:web ?sites?|web ?pages?|homepages?)`;
const PHONE = String.raw`(?:(?:tele)?phone(?: numbers?)?|telephone)`;

const RULES: readonly { readonly pattern: RegExp; readonly filters: RowFilters }[] = [
  { pattern: new RegExp(String.raw`\b${LACKING} ${SITE}\b`, 'i'), filters: { has_website: false } },
  { pattern: new RegExp(String.raw`\b${OWN} ${SITE}\b`, 'i'), filters: { has_website: true } },
  { pattern: new RegExp(String.raw`\b${LACKING} ${PHONE}\b`, 'i'), filters: { has_phone: false } },
  { pattern: new RegExp(String.raw`\b${OWN} ${PHONE}\b`, 'i'), filters: { has_phone: true } },
];
const RATING =
  /\b(?:(?:that are |and )?rated|with(?: a)?(?: rating)?(?: of)?|rating|stars?)? ?(?:above|over|at least|more than|min(?:imum)?|of) (\d(?:\.\d{1,2})?)(?: ?stars?| or (?:higher|more|better|above))?(?= |$|[?.,!])|\brated (\d(?:\.\d{1,2})?) or (?:higher|more|better|above)|\b(\d(?:\.\d{1,2})?)\+? stars?(?: or (?:higher|more|better|above))?/i;

/** Takes conditions on rows out of a request. */
export function takeFilters(text: string): FilteredText {
  let rest = text;
  const filters: { -readonly [Name in keyof RowFilters]: RowFilters[Name] } = {};
  for (const rule of RULES) {
    if (!rule.pattern.test(rest)) continue;
    rest = rest.replace(rule.pattern, ' ');
    Object.assign(filters, rule.filters);
  }
  const rating = RATING.exec(rest);
  const least = rating?.slice(1).find((one) => one !== undefined);
  if (rating !== null && least !== undefined && Number(least) <= 5) {
    filters.min_rating = Number(least);
    // `rated` and `stars` still say which scraper is meant.
    rest = rest.replace(rating[0], ' rated ');
  }
  return { text: rest.replace(/\s+/g, ' ').trim(), filters };
}
