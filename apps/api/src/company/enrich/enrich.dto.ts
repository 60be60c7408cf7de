import { fieldAlone, FitsOneOf } from '../../http/alternatives.js';
import { DOMAIN_DESCRIPTION } from '../company-site.js';
import { BooleanField, IntegerField, MAX_URL_CHARS, TextField } from '../../http/fields.js';

/** Homepage, /about, /about-us, /team, /our-team, /contact, /contact-us. */
export const FIXED_PAGES = 7;
export const DEFAULT_PAGES = 10;
export const MAX_PAGES = 20;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/** What both kinds of enrichment take. */
class EnrichOptions {
  @TextField({ description: DOMAIN_DESCRIPTION, maxChars: MAX_URL_CHARS, example: 'example.com' })
  domain?: string;

  @TextField({ description: 'Another name of `domain`.', maxChars: MAX_URL_CHARS })
  url?: string;

  @BooleanField({ description: 'Look for e-mail addresses.', fallback: true })
  includeEmails?: boolean;

  @BooleanField({ description: 'Look for the technologies of the site.', fallback: true })
  includeTech?: boolean;

  @BooleanField({ description: 'Look for names of the team.', fallback: true })
  includeTeam?: boolean;

  @BooleanField({
    description: 'Read the brand as well: logo, colors, fonts, industry.',
    fallback: false,
  })
  includeBrand?: boolean;

  @BooleanField({
    description:
      'Render the homepage in a browser, too, and look at its globals and at what it loads.',
    fallback: false,
  })
  deepTech?: boolean;

  @BooleanField({
    description:
      'Have a model read names of the team that stand in the text without markup. Where none is configured, and on the free plan, none is asked: `_extraction_method` tells.',
    fallback: false,
  })
  useModel?: boolean;

  @IntegerField({
    description:
      'Accept a kept result of the same request younger than this many milliseconds; 0: always fresh.',
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
    description: `Most pages to read, the homepage included; more than ${FIXED_PAGES} counts as ${FIXED_PAGES}.`,
    min: 1,
    fallback: FIXED_PAGES,
  })
  maxPages?: number;
}

/** Body of POST /v1/enrich/website. */
@FitsOneOf(fieldAlone('domain', ['url']), fieldAlone('url', ['domain']))
export class EnrichWebsiteRequest extends EnrichOptions {
  @IntegerField({
    description: `Most pages to read: the homepage and the pages it leads to that say most of the company. More than ${MAX_PAGES} counts as ${MAX_PAGES}.`,
    min: 1,
    fallback: DEFAULT_PAGES,
  })
  maxPages?: number;
}
