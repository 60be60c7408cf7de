import type { Settings } from '@app/config';
import {
  DEFAULT_CONTENT_OPTIONS,
  type ContentOptions,
  type FetchOptions,
  type ScrapeTask,
} from '@app/contracts';
import { assertForwardableHeaders, HeaderRefusedError, SIGNATURE_HEADERS } from '@app/egress';
import { invalidRequest } from '../http/invalid-request.js';
import { parseActions } from './parse-actions.js';
import type { ScrapeRequest } from './scrape.dto.js';

const MICRO = 1_000_000;

type FetchFields = Pick<
  ScrapeRequest,
  'headers' | 'cookies' | 'profile' | 'location' | 'forceHeadless' | 'waitFor' | 'scroll'
> &
  Partial<Pick<ScrapeRequest, 'actions' | 'costCeiling' | 'preferMarkdown' | 'blockAds'>>;

type ContentFields = Pick<
  ScrapeRequest,
  'onlyMainContent' | 'includeTags' | 'excludeTags' | 'removeBase64Images' | 'linkStyle'
>;

/** @throws ApiError */
export function parseFetchOptions(body: FetchFields): FetchOptions {
  return {
    headers: parseHeaders(body.headers),
    cookies: parseCookieText(body.cookies),
    ...profileOf(body),
    country: parseCountry(body.location),
    forceHeadless: body.forceHeadless ?? false,
    waitForMs: body.waitFor ?? 0,
    scroll: body.scroll ?? false,
    ...(body.preferMarkdown ? { preferMarkdown: true } : {}),
    ...(body.blockAds === false ? { blockAds: false } : {}),
    actions: parseActions(body.actions),
    costCeilingMicroUsd: microUsd(body.costCeiling ?? null),
  };
}

/** @throws ApiError */
function profileOf({ profile, ...body }: FetchFields): Pick<FetchOptions, 'profile'> {
  if (profile == null) return {};
  const names = Object.keys((body.headers ?? {}) as object).map((name) => name.toLowerCase());
  if (body.cookies != null || names.includes('cookie'))
    throw invalidRequest('`profile` does not go with `cookies`. Leave out one of them');
  return { profile };
}

/**
 * Where the service signs its requests, a caller's signature would take the place of its own.
 * @throws ApiError
 */
export function requireUnsigned(
  options: FetchOptions,
  { webBotAuthKeys }: Pick<Settings, 'webBotAuthKeys'>,
): FetchOptions {
  if (webBotAuthKeys !== '') checkHeaders(options.headers, SIGNATURE_HEADERS);
  return options;
}

/** Dollars are binary fractions: 0.000249 of them is slightly less than 249 millionths. */
const HAIR = 1e-6;

function microUsd(dollars: number | null): number | null {
  return dollars === null ? null : Math.floor(dollars * MICRO + HAIR);
}

/** @throws ApiError */
export function respectedUse({
  respectUse,
  ignoreRobotsTxt,
}: Pick<ScrapeRequest, 'respectUse' | 'ignoreRobotsTxt'>): Pick<ScrapeTask, 'respectUse'> {
  if (respectUse == null) return {};
  if (ignoreRobotsTxt === true)
    throw invalidRequest(
      '`respectUse` does not go with `ignoreRobotsTxt`: sites declare uses in robots.txt. Leave out one of them',
    );
  return { respectUse };
}

export function contentOptions(body: ContentFields): ContentOptions {
  return {
    onlyMainContent: body.onlyMainContent ?? DEFAULT_CONTENT_OPTIONS.onlyMainContent,
    includeTags: body.includeTags ?? [],
    excludeTags: body.excludeTags ?? [],
    removeBase64Images: body.removeBase64Images ?? DEFAULT_CONTENT_OPTIONS.removeBase64Images,
    ...(body.linkStyle ? { linkStyle: body.linkStyle } : {}),
  };
}

function parseHeaders(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidRequest('`headers` must be an object of strings');
  }
  const headers = Object.fromEntries(
    Object.entries(value as Readonly<Record<string, unknown>>).map(([name, text]) => {
      if (typeof text !== 'string') throw invalidRequest('`headers` must be an object of strings');
      return [name.toLowerCase(), text];
    }),
  );
  checkHeaders(headers);
  return headers;
}

function checkHeaders(
  headers: Readonly<Record<string, string>>,
  reserved?: ReadonlySet<string>,
): void {
  try {
    assertForwardableHeaders(headers, reserved);
  } catch (error) {
    if (error instanceof HeaderRefusedError) throw invalidRequest(`\`headers\`: ${error.message}`);
    throw error;
  }
}

const PRINTABLE = /^[\x20-\x7e]*$/;
const COOKIE_NAME = /^[^\s=,]+=/;

/** RFC 6265 4.2.1: pairs between semicolons, printable ASCII. */
function parseCookieText(value: string | undefined): string | null {
  const pairs = (value ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  if (pairs.length === 0) return null;
  if (!PRINTABLE.test(value ?? '') || !pairs.every((pair) => COOKIE_NAME.test(pair))) {
    throw invalidRequest('`cookies` must look like a Cookie header: name=value; name2=value2');
  }
  return pairs.join('; ');
}

function parseCountry(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  const names = isObject ? Object.keys(value) : [];
  if (!isObject || names.some((name) => name !== 'country')) {
    throw invalidRequest('`location` must be an object with a `country`');
  }
  const { country } = value as { readonly country?: unknown };
  if (country === undefined || country === null) return null;
  if (typeof country !== 'string' || !/^[A-Za-z]{2}$/.test(country)) {
    throw invalidRequest('`location.country` must be a two-letter country code (ISO 3166-1)');
  }
  return country.toUpperCase();
}
