import type { ContextLook } from './pool-options.js';

/** What a page says of its browser, in every place it says it. */
export interface BrowserIdentity {
  readonly userAgent: string;
  readonly acceptLanguage: string;
  readonly platform: string;
  readonly userAgentMetadata: UserAgentMetadata;
  /** Null: as the browser was started. */
  readonly locale: string | null;
  readonly timezoneId: string | null;
}

interface UserAgentMetadata {
  brands: Brand[];
  fullVersionList: Brand[];
  platform: string;
  platformVersion: string;
  architecture: string;
  bitness: string;
  model: string;
  mobile: boolean;
}

interface Brand {
  brand: string;
  version: string;
}

type Look = Omit<ContextLook, 'viewport'>;

/**
 * The browser's own identity without "Headless" and, unless `stealth`, with our name and address.
 * The versions are those of the Chromium that runs: its features reveal them, so a made-up version
 * would give it away.
 */
export function pageIdentity(look: Look, version: string, suffix: string): BrowserIdentity {
  const major = Number.parseInt(version, 10);
  const device = look.mobile ? ANDROID : desktop();
  const kind = look.mobile ? ' Mobile' : '';
  const agent = `Mozilla/5.0 (${device.agent}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${kind} Safari/537.36`;
  const country = look.country?.toUpperCase() ?? null;
  const locale = localeOf(country);
  return {
    userAgent: look.stealth || suffix === '' ? agent : `${agent} ${suffix}`,
    // One language where a locale is set: workers take it from there, and would differ.
    acceptLanguage: locale ?? 'en-US,en',
    platform: device.navigator,
    userAgentMetadata: {
      brands: brands(major, String(major), greaseMajor(major)),
      fullVersionList: brands(major, version, `${greaseMajor(major)}.0.0.0`),
      platform: device.hint,
      platformVersion: device.version,
      architecture: look.mobile ? '' : hintedArchitecture(),
      bitness: look.mobile ? '' : '64',
      model: look.mobile ? 'K' : '',
      mobile: look.mobile,
    },
    locale,
    timezoneId: timezoneOf(country),
  };
}

const ANDROID = {
  agent: 'Linux; Android 10; K',
  navigator: 'Linux armv81',
  hint: 'Android',
  version: '10.0.0',
} as const;

const LINUX = {
  agent: 'X11; Linux x86_64',
  navigator: 'Linux x86_64',
  hint: 'Linux',
  version: '',
} as const;

const MAC = {
  agent: 'Macintosh; Intel Mac OS X 10_15_7',
  navigator: 'MacIntel',
  hint: 'macOS',
  version: '15.0.0',
} as const;

function desktop(): typeof LINUX | typeof MAC {
  return process.platform === 'darwin' ? MAC : LINUX;
}

function hintedArchitecture(): string {
  return process.arch === 'arm64' && process.platform === 'darwin' ? 'arm' : 'x86';
}

/**
 * Chromium's own scheme (user_agent_utils.cc): name, version and order of the brands by version.
 */
function brands(major: number, version: string, greaseVersion: string): Brand[] {
  const symbols = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
  const symbol = (at: number) => symbols[at % symbols.length] ?? ' ';
  const listed = [
    { brand: `Not${symbol(major)}A${symbol(major + 1)}Brand`, version: greaseVersion },
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
  ];
  const order = BRAND_ORDERS[major % BRAND_ORDERS.length] ?? [0, 1, 2];
  const placed: Brand[] = [];
  for (const [from, to] of order.entries()) {
    const brand = listed[from];
    if (brand !== undefined) placed[to] = brand;
  }
  return placed;
}

function greaseMajor(major: number): string {
  return ['8', '99', '24'][major % 3] ?? '8';
}

const BRAND_ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** The likeliest language of a country (CLDR): `DE` → `de-DE`. English needs no change. */
function localeOf(country: string | null): string | null {
  if (country === null) return null;
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const locale = `${language}-${country}`;
  return locale === 'en-US' ? null : locale;
}

/** Where most people of a country of several time zones live. */
const CAPITAL_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  ES: 'Europe/Madrid',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
};

function timezoneOf(country: string | null): string | null {
  if (country === null) return null;
  const capital = CAPITAL_ZONES[country];
  if (capital !== undefined) return capital;
  // Newer than TypeScript's library.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): readonly string[] | undefined;
  };
  return locale.getTimeZones?.()?.[0] ?? null;
}
