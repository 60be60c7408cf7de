import { botIdentityOf } from '@app/egress';
import { SETTINGS, type Settings } from './settings.js';
import type { Field } from './fields.js';
import { parseOfferExtra, parseUnits } from './pay-per-call-values.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Exit code of a process stopped by its settings. */
export const BAD_SETTINGS_EXIT_CODE = 78;

/** Names every bad setting at once. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Bad settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/**
 * Reads settings from an environment; the same input returns the same frozen output. An empty
 * variable counts as not set. Throws {@link SettingsError}.
 */
export function loadSettings(env: Environment = process.env): Settings {
  const problems: string[] = [];
  const entries = Object.entries<Field<unknown>>(SETTINGS).map(([name, field]) => {
    const value = env[field.env];
    if (value === undefined || value === '') return [name, field.fallback];
    try {
      return [name, field.parse(value)];
    } catch (error) {
      problems.push(describe(field, value, error));
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  const settings = Object.freeze(Object.fromEntries(entries)) as Settings;
  const together = [...payPerCallProblems(settings), ...botIdentityProblems(settings)];
  if (together.length > 0) throw new SettingsError(together);
  return settings;
}

/** Keys need an address under which sites find their public halves. */
function botIdentityProblems(settings: Settings): readonly string[] {
  try {
    botIdentityOf(settings);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function describe(field: Field<unknown>, value: string, error: unknown): string {
  const shown = field.isSecret ? 'the given value' : JSON.stringify(value);
  const rule = error instanceof Error ? error.message : String(error);
  return `${field.env}: ${shown} ${rule}. ${field.meaning}`;
}

/** The removed settings in an environment, each with what to do, for one line of the log. */
export function removedSettings(env: Environment = process.env): readonly string[] {
  return Object.entries(REMOVED_SETTINGS).flatMap(([name, advice]) =>
    env[name] ? [`${name}: ${advice}`] : [],
  );
}

/** Settings a process cannot do without; throws {@link SettingsError} naming those that are missing. */
export function requireSettings<K extends 'databaseUrl' | 'brokerUrl' | 'storageUrl'>(
  settings: Settings,
  names: readonly K[],
): Settings & { readonly [N in K]: string } {
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) {
    throw new SettingsError(
      missing.map((name) => `${SETTINGS[name].env}: is not set. ${SETTINGS[name].meaning}`),
    );
  }
  return settings as Settings & { readonly [N in K]: string };
}

/** The part of the environment that child programs need; it has no setting and no secret. */
const PROGRAM_VARIABLES = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** The environment of a program that is not to know our settings. */
export function programEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const given = PROGRAM_VARIABLES.map((name) => [name, env[name]] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const FIXED = 'its value is fixed: remove it';

/** Variables that were settings, and what to do with one that is still set. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  BUILD_REVISION: 'images keep the commit in dist/revision: remove it',
  V2_PREFIX_ALIAS: '/firecrawl/v2 always answers: remove it',
  PROVISION_PER_NETWORK_PER_DAY: 'it is four times PROVISION_PER_IP_PER_DAY: remove it',
  SCREENSHOT_CONCURRENCY: 'set CALL_CONCURRENCY instead',
  CONVERT_CONCURRENCY: 'set CALL_CONCURRENCY instead',
  MAP_CONCURRENCY: 'set CALL_CONCURRENCY instead',
  ENRICH_CONCURRENCY: 'set CALL_CONCURRENCY instead',
  BRAND_CONCURRENCY: 'set CALL_CONCURRENCY instead',
  SEARCH_CONCURRENCY: 'set CALL_CONCURRENCY instead',
  MAP_TIMEOUT_MS: 'it is SCRAPE_TIMEOUT_MS, 25 s at most: remove it',
  BRAND_TIMEOUT_MS: 'it is SCRAPE_TIMEOUT_MS, 30 s at most: remove it',
  ENRICH_TIMEOUT_MS: 'set SCRAPE_TIMEOUT_MS instead',
  SEARCH_PAGES_TIMEOUT_MS: 'it is SCRAPE_TIMEOUT_MS, 45 s at most: remove it',
  SEARCH_ANSWER_TIMEOUT_MS: 'it is LLM_TIMEOUT_MS, 20 s at most: remove it',
  SCRAPER_TIMEOUT_MS: 'it is twice SEARCH_TIMEOUT_MS: remove it',
  OUTSTANDING_CALLS: FIXED,
  SCRAPE_QUEUE_MAX: FIXED,
  CONTENT_CPU_MS: FIXED,
  FILE_MAX_PAGES: FIXED,
  HOST_MEMORY_SECONDS: FIXED,
  TECH_SCAN_CONCURRENCY: FIXED,
  TECH_SCAN_HARD_MS: 'it is three times TECH_SCAN_BUDGET_MS: remove it',
  TECH_SCAN_MAX_OLD_SPACE_MIB: FIXED,
  TECH_COOLDOWN_MINUTES: FIXED,
  TECH_REQUEST_BUDGET_MS: FIXED,
  TECH_DEEP_BUDGET_MS: FIXED,
  BROWSER_RECYCLE_PAGES: FIXED,
  BROWSER_RECYCLE_MINUTES: FIXED,
  BROWSER_PAGE_REQUESTS: FIXED,
};

/**
 * Terms under which calls without a key are sold. Amounts are in the smallest units of the asset.
 */
export interface PayPerCallTerms {
  readonly unitsPerCredit: bigint;
  /** CAIP-2, e.g. `eip155:8453`. */
  readonly network: string;
  /** Token address. */
  readonly asset: string;
  /** Who is paid. */
  readonly payTo: string;
  /** Fields that the scheme needs besides, e.g. the EIP-712 domain of the token. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Without a slash at its end. */
  readonly facilitatorUrl: string;
  /** Empty: it needs none. */
  readonly facilitatorToken: string;
  /** Of one address, within any minute. */
  readonly requestsPerMinute: number;
}

type PayPerCallSettings = Pick<
  Settings,
  | 'payPerCallPrice'
  | 'payPerCallNetwork'
  | 'payPerCallAsset'
  | 'payPerCallPayTo'
  | 'payPerCallExtra'
  | 'payPerCallFacilitatorUrl'
  | 'payPerCallFacilitatorToken'
  | 'payPerCallRequestsPerMinute'
>;

/** Payments need all of these; all of them empty: pay-per-call is off. */
const NEEDED = [
  ['payPerCallPrice', 'PAY_PER_CALL_PRICE'],
  ['payPerCallNetwork', 'PAY_PER_CALL_NETWORK'],
  ['payPerCallAsset', 'PAY_PER_CALL_ASSET'],
  ['payPerCallPayTo', 'PAY_PER_CALL_PAY_TO'],
  ['payPerCallFacilitatorUrl', 'PAY_PER_CALL_FACILITATOR_URL'],
] as const;

/** Null: pay-per-call is off. */
export function payPerCallTerms(settings: PayPerCallSettings): PayPerCallTerms | null {
  if (settings.payPerCallPrice === '') return null;
  return {
    unitsPerCredit: parseUnits(settings.payPerCallPrice),
    network: settings.payPerCallNetwork,
    asset: settings.payPerCallAsset,
    payTo: settings.payPerCallPayTo,
    extra: parseOfferExtra(settings.payPerCallExtra),
    facilitatorUrl: settings.payPerCallFacilitatorUrl.replace(/(?<!\/)\/+$/, ''),
    facilitatorToken: settings.payPerCallFacilitatorToken,
    requestsPerMinute: settings.payPerCallRequestsPerMinute,
  };
}

/**
 * Half an offer is a mistake: the missing settings are named, so that no operator expects payments
 * that cannot arrive.
 */
function payPerCallProblems(settings: PayPerCallSettings): readonly string[] {
  const missing = NEEDED.filter(([field]) => settings[field] === '').map(([, env]) => env);
  if (missing.length === 0 || missing.length === NEEDED.length) return [];
  return missing.map((env) => `${env}: is not set, though other settings of pay-per-call are.`);
}
