import { fieldAlone, FitsOneOf } from '../../http/alternatives.js';
import { DOMAIN_DESCRIPTION } from '../company-site.js';
import { BooleanField, IntegerField, MAX_REQUEST_URL_CHARS, TextField } from '../../http/fields.js';

/** Homepage, /about, /about-us, /team, /our-team, /contact, /contact-us. */
export const FIXED_PAGES = 7;
export const DEFAULT_PAGES = 10;
export const MAX_PAGES = 20;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/** Fields of both kinds of enrichment. */
class EnrichOptions {
  @TextField({
    description: DOMAIN_DESCRIPTION,
    maxChars: MAX_REQUEST_URL_CHARS,
    example: 'example.com',
  })
  domain?: string;

  @TextField({ description: 'Alias of `domain`.', maxChars: MAX_REQUEST_URL_CHARS })
  url?: string;

  @BooleanField({ description: 'Find e-mail addresses.', fallback: true })
  includeEmails?: boolean;

  @BooleanField({ description: 'Detect the technologies of the site.', fallback: true })
  includeTech?: boolean;

  @BooleanField({ description: 'Find names of the team.', fallback: true })
  includeTeam?: boolean;

  @BooleanField({
    description: 'Also read the brand: logo, colors, fonts, industry.',
    fallback: false,
  })
  includeBrand?: boolean;

  @BooleanField({
    description:
      'Also render the homepage in a browser, and inspect its globals and the resources it loads.',
    fallback: false,
  })
  deepTech?: boolean;

  @BooleanField({
    description:
      'Let a model find team names in text without markup. No model is used on the free plan or if none is configured; see `_extraction_method`.',
    fallback: false,
  })
  useModel?: boolean;

  @IntegerField({
    description:
      'Accept a cached result of the same request up to this age in milliseconds; 0: always fresh.',
    min: 0,
    max: MAX_AGE_MS,
    fallback: 0,
  })
  maxAge?: number;
}

/** Body of POST /v1/enrich. */
@FitsOneOf(fieldAlone('domain', ['url']), fieldAlone('url', ['domain']))
export class EnrichRequest extends EnrichOptions {
  @IntegerField({
    description: `Maximum number of pages to read, including the homepage; more than ${FIXED_PAGES} counts as ${FIXED_PAGES}.`,
    min: 1,
    fallback: FIXED_PAGES,
  })
  maxPages?: number;
}

/** Body of POST /v1/enrich/website. */
@FitsOneOf(fieldAlone('domain', ['url']), fieldAlone('url', ['domain']))
export class EnrichWebsiteRequest extends EnrichOptions {
  @IntegerField({
    description: `Maximum number of pages to read: the homepage and the most informative pages it links to. More than ${MAX_PAGES} counts as ${MAX_PAGES}.`,
    min: 1,
    fallback: DEFAULT_PAGES,
  })
  maxPages?: number;
}
