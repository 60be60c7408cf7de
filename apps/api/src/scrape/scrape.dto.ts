import {
  FORMATS,
  LINK_STYLES,
  PART_LIMITS,
  type ContentOptions,
  type Format,
} from '@app/contracts';
import { MAX_SELECTOR_CHARS, MAX_SELECTORS, selectorProblem } from '@app/content';
import { CONTENT_USES, type ContentUse } from '@app/uses';
import {
  MAX_ACTIONS,
  MAX_ACTIONS_WAIT_MS,
  MAX_SCRIPT_CHARS,
  MAX_SCROLL_PX,
} from './action-limits.js';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  IntegerField,
  NumberField,
  ParsedField,
  SchemaField,
  TextField,
  TextsField,
  UrlField,
} from '../http/fields.js';
import { PASSAGES_ENTRY, type PassagesEntry } from './format-entries.js';
import { fitsOneOf } from '../http/alternatives.js';
import {
  ACTION_TYPES,
  MAX_PRESSED_KEY_CHARS,
  MAX_ACTION_SELECTOR_CHARS,
  MAX_TEXT_CHARS,
} from './parse-actions.js';

type ActionType = (typeof ACTION_TYPES)[number];

const optionalText = (maxLength: number, description: string) => ({
  type: 'string' as const,
  nullable: true,
  maxLength,
  description,
});

const THERE = { type: 'string' as const, minLength: 1 };
const amount = (minimum: number, maximum: number) => ({
  type: 'integer' as const,
  minimum,
  maximum,
});
const WAIT_MS = amount(0, MAX_ACTIONS_WAIT_MS);

/** Required fields of an action type, and limits of its optional ones. */
function action(type: ActionType, needs: object = {}, may: object = {}) {
  const properties = { type: { type: 'string' as const, enum: [type] }, ...may, ...needs };
  return { required: Object.keys(needs), properties };
}

/** Documents the actions that {@link parseActions} accepts. */
const ACTION_SCHEMA = {
  type: 'object' as const,
  required: ['type'],
  properties: {
    type: { type: 'string' as const, enum: [...ACTION_TYPES] },
    selector: optionalText(
      MAX_ACTION_SELECTOR_CHARS,
      'CSS selector of the element; required by click.',
    ),
    text: optionalText(
      MAX_TEXT_CHARS,
      'Text for `write`. It is typed into the element of `selector`, else into the focused field; an element without text input fails the scrape.',
    ),
    key: optionalText(MAX_PRESSED_KEY_CHARS, 'Key for `press`, such as Enter or Control+A.'),
    ms: {
      type: 'integer' as const,
      nullable: true,
      description: 'wait: milliseconds. scroll: pixels, negative scrolls up.',
    },
    script: optionalText(MAX_SCRIPT_CHARS, 'Reserved.'),
  },
  ...fitsOneOf([
    action('click', { selector: THERE }),
    action('write', { text: THERE }),
    action('press', { key: THERE }),
    action('wait', { ms: WAIT_MS }),
    action('wait', { selector: THERE }, { ms: { ...WAIT_MS, type: ['integer', 'null'] } }),
    action(
      'scroll',
      {},
      { ms: { ...amount(-MAX_SCROLL_PX, MAX_SCROLL_PX), type: ['integer', 'null'] } },
    ),
    action('screenshot'),
    action('pdf'),
  ]),
};

export const ACTIONS_SCHEMA = {
  type: 'array' as const,
  maxItems: MAX_ACTIONS,
  items: ACTION_SCHEMA,
};

const MAX_WAIT_MS = 60_000;
/** Oldest copy that a request may accept. */
export const MAX_AGE_MS = 30 * 24 * 3_600_000;
const MAX_COOKIE_CHARS = 16_384;
export const MAX_TOKENS_FIELD = {
  description:
    'Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out.',
  min: PART_LIMITS.tokens.least,
  max: PART_LIMITS.tokens.most,
};
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
    description:
      'Requested outputs, returned under `formats`; `{type: "passages", query, max}`: the passages that answer a question.',
    choices: FORMATS,
    object: PASSAGES_ENTRY,
    fallback: ['markdown'],
    example: ['markdown', 'links'],
  })
  formats?: (Format | PassagesEntry)[];

  @IntegerField(MAX_TOKENS_FIELD)
  maxTokens?: number;

  @BooleanField({ description: 'Adds the page source as `html`.', fallback: false })
  includeHtml?: boolean;

  @BooleanField({
    description:
      'Read the business listing of the page: name, address, phone and more. `false` makes the response for a small page much smaller.',
    fallback: true,
  })
  extractListing?: boolean;

  @BooleanField({
    description: 'Adds `_provenance` to `listing`: the source of each field.',
    fallback: false,
  })
  listingProvenance?: boolean;

  @SchemaField('Schema of the format `json`. Without it: free-form data about the page.')
  schema?: unknown;

  @SchemaField('Alias of `schema`.')
  jsonSchema?: unknown;

  @ParsedField({
    description:
      'Actions to run on the page in a browser, in order. The first failure ends the scrape with 422.',
    schema: ACTIONS_SCHEMA,
    example: [
      { type: 'click', selector: '#more' },
      { type: 'wait', ms: 500 },
    ],
  })
  actions?: unknown;

  @BooleanField({
    description: 'Keep only the main content: no menus, footers or banners.',
    fallback: false,
  })
  onlyMainContent?: boolean;

  @TextsField({
    description: 'CSS selectors: keep only matching elements.',
    maxItems: MAX_SELECTORS,
    maxChars: MAX_SELECTOR_CHARS,
    problem: selectorProblem,
    example: ['article'],
  })
  includeTags?: string[];

  @TextsField({
    description: 'CSS selectors: remove matching elements; takes precedence over `includeTags`.',
    maxItems: MAX_SELECTORS,
    maxChars: MAX_SELECTOR_CHARS,
    problem: selectorProblem,
    example: ['nav', '.ads'],
  })
  excludeTags?: string[];

  @BooleanField({
    description:
      'Remove the data of inline (data URI) images from the Markdown. Otherwise it is kept: up to 1 MB of an image, and 4 MB of a page.',
    fallback: false,
  })
  removeBase64Images?: boolean;

  @ChoiceField({
    description:
      'Addresses of links and images in the Markdown: `inlined` behind each, `referenced` by number in a list at its end, `omitted`: links and images are their text alone.',
    choices: LINK_STYLES,
    fallback: 'inlined',
  })
  linkStyle?: ContentOptions['linkStyle'];

  @BooleanField({ description: 'Start with the browser.', fallback: false })
  forceHeadless?: boolean;

  @IntegerField({
    description: 'Milliseconds to wait after load; more than 0 starts with the browser.',
    min: 0,
    max: MAX_WAIT_MS,
    fallback: 0,
  })
  waitFor?: number;

  @BooleanField({
    description:
      'Scroll to the end in a browser first, to load lazy content. A screenshot then shows the whole page.',
    fallback: false,
  })
  scroll?: boolean;

  @BooleanField({
    description:
      'In a browser, leave out advertising, analytics, chats and consent managers of third parties; not with a screenshot or actions, and not where a page is empty without them.',
    fallback: true,
  })
  blockAds?: boolean;

  @BooleanField({
    description:
      'Request Markdown from the site before HTML: a site that offers it answers with its own, which is returned as it is.',
    fallback: false,
  })
  preferMarkdown?: boolean;

  @TextField({
    description: 'Cookies for the site of `url`, like a Cookie header: name=value; name2=value2.',
    maxChars: MAX_COOKIE_CHARS,
    example: 'session=abc; theme=dark',
  })
  cookies?: string;

  @TextField({
    description:
      'Name of one of your profiles (PUT /v1/profiles/:name): its cookies go to the hosts that they are for. Where the site asks for a login again, the page fails with `auth_expired`. Not with `cookies`.',
    maxChars: 64,
  })
  profile?: string;

  @ParsedField({
    description: 'Request headers for the site of `url`; never sent to another site.',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: { 'accept-language': 'fr' },
  })
  headers?: unknown;

  @BooleanField({ description: 'Ignore robots.txt.', fallback: false })
  ignoreRobotsTxt?: boolean;

  @ChoiceField({
    description:
      'Your use of the page. If the site refuses it by Content-Signal, Content-Usage, TDMRep or RSL, the request fails with `content_use_refused`: before the page is requested, where files of the site say so. Not with `ignoreRobotsTxt`.',
    choices: CONTENT_USES,
  })
  respectUse?: ContentUse;

  @IntegerField({
    description: 'Accept a cached copy up to this age in milliseconds; 0: always fresh.',
    min: 0,
    max: MAX_AGE_MS,
    fallback: 0,
  })
  maxAge?: number;

  @IntegerField({
    description:
      'Use only the cache, for a copy at least this many milliseconds old; 404 if there is none.',
    min: 0,
    max: MAX_AGE_MS,
  })
  minAge?: number;

  @ParsedField({
    description:
      'Location of the visitor: sets the preferred language, and uses a proxy there if one is configured.',
    schema: {
      type: 'object',
      properties: { country: { type: 'string', pattern: '^[A-Za-z]{2}$' } },
      additionalProperties: false,
    },
    example: { country: 'DE' },
  })
  location?: unknown;

  @NumberField({
    description: 'Maximum cost of paid fetch methods for this page in US dollars; 0: none is used.',
    min: 0,
    max: MAX_COST_USD,
  })
  costCeiling?: number;
}
