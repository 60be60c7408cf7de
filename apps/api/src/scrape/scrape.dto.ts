import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FORMATS, MAX_ACTIONS, type Format } from '@app/contracts';
import { MAX_SELECTOR_CHARS, MAX_SELECTORS, selectorProblem } from '@app/content';
import {
  BooleanField,
  ChoicesField,
  IntegerField,
  NumberField,
  ParsedField,
  TextField,
  TextsField,
  UrlField,
} from '../http/fields.js';
import { ACTION_TYPES } from './parse-actions.js';

const MAX_WAIT_MS = 60_000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;
const MAX_COOKIE_CHARS = 16_384;
const MAX_COST_USD = 1_000;

const ACTION_SCHEMA = {
  type: 'object' as const,
  required: ['type'],
  properties: {
    type: { type: 'string' as const, enum: [...ACTION_TYPES] },
    selector: {
      type: 'string' as const,
      description: 'CSS selector of the element; required by click.',
    },
    text: { type: 'string' as const, description: 'What `write` types.' },
    key: {
      type: 'string' as const,
      description: 'What `press` presses, such as Enter or Control+A.',
    },
    ms: {
      type: 'integer' as const,
      description: 'wait: milliseconds. scroll: pixels, negative goes up.',
    },
    script: { type: 'string' as const, maxLength: 20_000, description: 'Reserved.' },
  },
};

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

class CascadeAttemptView {
  @ApiProperty({ enum: ['unblock', 'plain', 'headless', 'hosted_crawler', 'hosted_browser'] })
  rung: string;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 4 })
  level: number;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', minimum: 0 })
  latency_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null when the attempt succeeded.' })
  error_class: string | null;
}

class RememberedView {
  @ApiProperty({ description: 'The rung that was begun with.' })
  rung: string;
  @ApiProperty({ description: 'What the lower rungs had failed with on this host.' })
  error_class: string;
  @ApiProperty({ type: 'integer' })
  age_ms: number;
}

class CascadeView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Level of the rung that served; null when none did.',
  })
  level: number | null;
  @ApiProperty({ type: [CascadeAttemptView] })
  attempts: CascadeAttemptView[];
  @ApiPropertyOptional({
    type: RememberedView,
    description: 'Present when lower rungs were left out for what is known of the host.',
  })
  remembered?: RememberedView;
}

class UnblockAttemptView {
  @ApiProperty()
  provider: string;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', minimum: 0 })
  latency_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null when the attempt succeeded.' })
  error_class: string | null;
  @ApiProperty({ enum: ['ok', 'blocked', 'failed'] })
  outcome: string;
  @ApiProperty({
    enum: ['free', 'paid'],
    description: 'paid: a third-party fetch provider received the URL.',
  })
  cost_class: string;
}

class UnblockView {
  @ApiProperty({ type: [UnblockAttemptView] })
  attempts: UnblockAttemptView[];
}

class FallbackView {
  @ApiProperty({ description: 'Always true.' })
  used: boolean;
  @ApiProperty({ description: 'The rung that failed first.' })
  from: string;
  @ApiProperty({ description: 'The rung that served.' })
  to: string;
}

class ActionsView {
  @ApiProperty({ type: [String], description: 'Data URIs, in the order of the actions.' })
  screenshots: string[];
  @ApiProperty({ type: [String], description: 'Data URIs, in the order of the actions.' })
  pdfs: string[];
}

class RedirectView {
  @ApiProperty()
  url: string;
  @ApiProperty({ type: 'integer' })
  statusCode: number;
}

class ScrapeMetadataView {
  @ApiPropertyOptional({ description: 'Title of the page.' })
  title?: string;
  @ApiPropertyOptional()
  description?: string;
  @ApiPropertyOptional()
  language?: string;
  @ApiPropertyOptional()
  canonical?: string;
  @ApiPropertyOptional({ description: 'The robots meta tag.' })
  robots?: string;
  @ApiPropertyOptional()
  favicon?: string;
  @ApiPropertyOptional({ type: Object, description: 'Open Graph properties.' })
  openGraph?: Record<string, string>;
  @ApiPropertyOptional()
  contentType?: string;
  @ApiProperty({ description: 'Address as it was asked for.' })
  sourceURL: string;
  @ApiProperty({
    enum: ['fetch', 'plain', 'headless', 'stealth', 'hosted_crawler', 'hosted_browser'],
  })
  fetchMethod: string;
  @ApiProperty({ type: 'integer', description: 'Fetch and extraction together, milliseconds.' })
  latencyMs: number;
  @ApiProperty({ description: 'Served from the cache.' })
  cached: boolean;
  @ApiPropertyOptional({ type: 'integer', description: 'Age of the copy, when `cached`.' })
  cacheAgeMs?: number;
  @ApiPropertyOptional({
    type: [String],
    description: 'What the verdict rests on, when the page is not plainly complete.',
  })
  signals?: string[];
  @ApiPropertyOptional({ type: [RedirectView], description: 'Redirects that were followed.' })
  redirects?: RedirectView[];
  @ApiPropertyOptional({ description: 'The X-Robots-Tag header.' })
  xRobotsTag?: string;
}

/** Scrape result. */
export class ScrapeResult {
  @ApiProperty({ format: 'uri', description: 'Address after redirects.' })
  url: string;
  @ApiProperty()
  ok: boolean;
  @ApiPropertyOptional({ description: 'The page as Markdown.' })
  markdown?: string;
  @ApiPropertyOptional({ description: 'Page source, with `includeHtml`.' })
  html?: string;
  @ApiPropertyOptional({
    type: Object,
    description: 'Requested outputs by name, when `formats` was sent.',
  })
  formats?: Record<string, unknown>;
  @ApiProperty({ type: 'integer' })
  statusCode: number;
  @ApiPropertyOptional({ description: 'Content is incomplete or blank.' })
  partial?: true;
  @ApiPropertyOptional({ description: 'Why, when `partial`.' })
  partial_reason?: string;
  @ApiPropertyOptional({
    type: FallbackView,
    description: 'A later rung brought complete content after an earlier one had failed.',
  })
  fallback?: FallbackView;
  @ApiPropertyOptional({ type: ActionsView, description: 'What screenshot and pdf actions made.' })
  actions?: ActionsView;
  @ApiProperty({ type: ScrapeMetadataView })
  metadata: ScrapeMetadataView;
  @ApiProperty({ type: CascadeView })
  cascade: CascadeView;
  @ApiProperty({ type: UnblockView })
  unblock: UnblockView;
}
