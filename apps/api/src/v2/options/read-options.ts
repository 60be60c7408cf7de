import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import type { Warnings } from './warnings.js';

/** A JSON object of a request. */
export type V2Fields = Readonly<Record<string, unknown>>;

/** Which options of an object are used, and which are errors. Every other one is ignored and named in the warning. */
export interface OptionRules {
  readonly honoured: readonly string[];
  /** Why, by name. Errors when switched on: `false`, `null` and empty values request nothing. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Names of the object within the body, such as `scrapeOptions.`. @default the body itself */
  readonly at?: string;
}

/** Clients add them to every body. */
const UNSEEN: ReadonlySet<string> = new Set(['origin', 'integration']);

/**
 * Values of ignored options that request what happens anyway, so that clients that send every default get no warning.
 * TLS certificates are always verified.
 */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  mobile: [false],
  proxy: ['auto'],
  skipTlsVerification: [false],
  fastMode: [false],
  storeInCache: [true],
  onlyCleanContent: [false],
  safeMode: [false],
  useMock: [false],
  lockdown: [false],
  redactPII: [false],
  zeroDataRetention: [false],
  domainTools: [false],
  checkPromptInjection: [false],
  // Without a default: only `null` requests nothing.
  parsers: [],
  timeout: [],
  location: [],
  threatProtection: [],
  auditMetadata: [],
  delay: [],
  maxConcurrency: [],
  minAge: [],
  sitemap: ['include'],
  ignoreQueryParameters: [false],
  deduplicateSimilarURLs: [true],
  allowExternalLinks: [false],
  allowSubdomains: [false],
  includeSubdomains: [true],
  robotsUserAgent: [''],
  ignoreInvalidURLs: [false],
  asyncScraping: [false],
  highlights: [true],
  enterprise: [[]],
  profile: [''],
  prompt: [''],
  actions: [[]],
  includeTags: [[]],
  excludeTags: [[]],
};

/** The honoured options that are set. @throws ApiError for a refused one */
export function readOptions(body: V2Fields, rules: OptionRules, warnings: Warnings): V2Fields {
  const { honoured, refused = {}, at = '' } = rules;
  const used: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (honoured.includes(name)) {
      if (value !== null) used[name] = value;
    } else if (Object.hasOwn(refused, name) && isOn(value)) {
      const problem = `\`${at}${name}\` is not supported: ${refused[name] ?? ''}. Leave it out`;
      throw new ApiError('unsupported_option', { problem });
    } else if (!isUnnamed(name, value)) {
      warnings.ignore(name, at);
    }
  }
  return used;
}

function isUnnamed(name: string, value: unknown): boolean {
  if (UNSEEN.has(name)) return typeof value === 'string';
  if (!Object.hasOwn(DEFAULTS, name)) return false;
  return value === null || (DEFAULTS[name] ?? []).some((one) => isDeepStrictEqual(one, value));
}

/** Whether an option requests anything. */
export function isOn(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** An object option; an empty one if it is not set. @throws ApiError */
export function objectOption(value: unknown, name: string): V2Fields {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as V2Fields;
  throw invalidRequest(`\`${name}\` must be an object`);
}

/** True, false, or undefined if it is not set. @throws ApiError */
export function booleanOption(value: unknown, name: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw invalidRequest(`\`${name}\` must be true or false`);
}

/** @throws ApiError */
export function integerOption(
  value: unknown,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
    return value;
  throw invalidRequest(`\`${name}\` must be a whole number from ${min} to ${max}`);
}

/** @throws ApiError */
export function arrayOption(value: unknown, name: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidRequest(`\`${name}\` must be an array`);
  if (value.length > max) throw invalidRequest(`\`${name}\` may hold at most ${max} entries`);
  return value as readonly unknown[];
}
