import { FORMATS, MAX_ACTIONS, type Format } from '@app/contracts';
import { MAX_SELECTOR_CHARS, MAX_SELECTORS, selectorProblem } from '@app/content';
import {
  BooleanField,
  ChoicesField,
  IntegerField,
  NumberField,
  ParsedField,
  SchemaField,
  TextField,
  TextsField,
  UrlField,
} from '../http/fields.js';
import { ACTION_SCHEMA } from './action-schema.js';

const MAX_WAIT_MS = 60_000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;
const MAX_COOKIE_CHARS = 16_384;
const MAX_COST_USD = 1_000;

/** Body of POST /v1/scrape. */
export class ScrapeRequest {
  @UrlField({
    required: true,
    description: 'Page to fetch, http:// or https://.',
    example: 'https://example.com/',
  })
  url: string;

  @ChoicesField({
    description: 'Outputs wanted; they are returned under `formats`.',
    choices: FORMATS,
    fallback: ['markdown'],
    example: ['markdown', 'links'],
  })
  formats?: Format[];

  @BooleanField({ description: 'Adds the page source as `html`.', fallback: false })
  includeHtml?: boolean;

  @BooleanField({
    description:
      'Read the business listing that the page shows: name, address, phone and more. `false` makes the answer for a small page much smaller.',
    fallback: true,
  })
  extractListing?: boolean;

  @BooleanField({
    description: 'Adds `_provenance` to `listing`: where each field was found.',
    fallback: false,
  })
  listingProvenance?: boolean;

  @SchemaField('What format `json` is to hold. Without it: what the page is about.')
  schema?: unknown;

  @SchemaField('Another name of `schema`.')
  jsonSchema?: unknown;

  @ParsedField({
    description:
      'What to do on the page, in order, in a browser. The first that fails ends the scrape with 422.',
    schema: { type: 'array', maxItems: MAX_ACTIONS, items: ACTION_SCHEMA },
    example: [
      { type: 'click', selector: '#more' },
      { type: 'wait', ms: 500 },
    ],
  })
  actions?: unknown;

  @BooleanField({
    description: 'Keep the main part of the page only: no menus, footers, banners.',
    fallback: false,
  })
  onlyMainContent?: boolean;

  @TextsField({
    description: 'CSS selectors: only what they match is kept.',
    maxItems: MAX_SELECTORS,
    maxChars: MAX_SELECTOR_CHARS,
    problem: selectorProblem,
    example: ['article'],
  })
  includeTags?: string[];

  @TextsField({
    description: 'CSS selectors: what they match is dropped; wins over `includeTags`.',
    maxItems: MAX_SELECTORS,
    maxChars: MAX_SELECTOR_CHARS,
    problem: selectorProblem,
    example: ['nav', '.ads'],
  })
  excludeTags?: string[];

  @BooleanField({ description: 'Leave out images that are inline data.', fallback: false })
  removeBase64Images?: boolean;

  @BooleanField({ description: 'Begin with the browser.', fallback: false })
  forceHeadless?: boolean;

  @IntegerField({
    description: 'Milliseconds a browser waits after load; more than 0 begins with the browser.',
    min: 0,
    max: MAX_WAIT_MS,
    fallback: 0,
  })
  waitFor?: number;

  @BooleanField({
    description: 'Scroll to the end in a browser first, so that lazy content loads.',
    fallback: false,
  })
  scroll?: boolean;

  @TextField({
    description: 'Cookies for the site of `url`, like a Cookie header: name=value; name2=value2.',
    maxChars: MAX_COOKIE_CHARS,
    example: 'session=abc; theme=dark',
  })
  cookies?: string;

  @ParsedField({
    description: 'Request headers for the site of `url`; never sent to another one.',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: { 'accept-language': 'fr' },
  })
  headers?: unknown;

  @BooleanField({ description: 'Fetch although robots.txt forbids it.', fallback: false })
  ignoreRobotsTxt?: boolean;

  @IntegerField({
    description: 'Accept a cached copy younger than this many milliseconds; 0: always fresh.',
    min: 0,
    max: MAX_AGE_MS,
    fallback: 0,
  })
  maxAge?: number;

  @IntegerField({
    description:
      'Ask the cache only, for a copy at least this many milliseconds old; 404 when there is none.',
    min: 0,
    max: MAX_AGE_MS,
  })
  minAge?: number;

  @ParsedField({
    description: 'Where the visitor is: language asked for, and a proxy there where one is set up.',
    schema: {
      type: 'object',
      properties: { country: { type: 'string', pattern: '^[A-Za-z]{2}$' } },
      additionalProperties: false,
    },
    example: { country: 'DE' },
  })
  location?: unknown;

  @NumberField({
    description: 'Most that paid fetch methods may cost this page, in US dollars; 0: none is used.',
    min: 0,
    max: MAX_COST_USD,
  })
  costCeiling?: number;
}
