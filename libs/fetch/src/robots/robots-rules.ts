import type { DeclaredUse } from '@app/uses';
import { declaredAt, RobotsUses, type UseDirective } from '../content-use/robots-uses.js';
import { AddressedLines } from './addressed-lines.js';
import {
  compileRobotsPattern,
  decodeUnreserved,
  matchesPath,
  normalizeEscapes,
  normalizePath,
  scanLength,
  type RobotsPattern,
} from './robots-pattern.js';

/** The rules of a robots.txt (RFC 9309, with Google's reading where the text leaves room). */
export interface RobotsRules {
  /**
   * Whether the agent may fetch the URL; `/robots.txt` itself always may be. An address without a
   * host, the empty one included, is one of the site; throws for what is no address at all.
   */
  isAllowed(url: URL | string, agentToken: string): boolean;
  /** The agent's Crawl-delay in milliseconds; null when none applies. */
  crawlDelayMs(agentToken: string): number | null;
  /** What the file declares about the use of a page; undefined: nothing. */
  declaredUse(url: URL, agentToken: string): DeclaredUse | undefined;
  /** Sitemap lines as written, without doubles. They belong to no agent and are not vetted. */
  readonly sitemaps: readonly string[];
  /** The same for License lines (RSL 1.0). */
  readonly licenses: readonly string[];
  /**
   * Approximate memory of these rules: many times the file's own size when its lines are short.
   */
  readonly memoryBytes: number;
}

/** Bytes read of a robots.txt (RFC 9309 2.5 requires at least this many). */
export const MAX_ROBOTS_BYTES = 512_000;
/**
 * Longer lines are cut where Google cuts them: eight times the longest URL of old browsers, less
 * one.
 */
const MAX_LINE_LENGTH = 16_663;
const MAX_SITEMAPS = 1_000;
const MAX_LICENSES = 10;
/**
 * Part of a path that rules are compared with: no line says more, and no address we fetch is
 * longer.
 */
const MAX_PATH_LENGTH = MAX_LINE_LENGTH;
/**
 * Characters looked through for one decision. 500 KiB of stars against a long path would take
 * seconds; honest files with thousands of stars stay far below. Past it the path is disallowed.
 */
const MAX_SCAN_LENGTH = 10_000_000;
/** Approximate memory of a rule or an agent beside its text. */
const BYTES_PER_ENTRY = 256;

interface Rule {
  readonly isAllow: boolean;
  readonly pattern: RobotsPattern;
}

interface Group {
  /** Product tokens in lower case; `*` for everyone. */
  readonly agents: Set<string>;
  readonly rules: Rule[];
}

/** Reads a robots.txt. Never throws: what is not understood is skipped. */
export function parseRobots(body: Uint8Array | string): RobotsRules {
  const parser = new RobotsParser();
  const text = toLatin1(body);
  for (const line of linesOf(text)) parser.read(line);
  return new ParsedRobots(parser, text.length + parser.entryCount * BYTES_PER_ENTRY);
}

/**
 * One character per byte, so that bytes which are no UTF-8 survive; the byte order mark is dropped.
 */
function toLatin1(body: Uint8Array | string): string {
  const bytes = typeof body === 'string' ? Buffer.from(body.slice(0, MAX_ROBOTS_BYTES)) : body;
  const text = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, MAX_ROBOTS_BYTES),
  );
  // Google drops an incomplete mark, too.
  const latin1 = text.toString('latin1').replace(/^\xef(?:\xbb\xbf?)?/, '');
  return text.length < MAX_ROBOTS_BYTES ? latin1 : withoutCutLine(latin1);
}

/** Half a rule says something else: of `Disallow: /private`, `Disallow: /` may be left. */
function withoutCutLine(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

type Directive = 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay' | 'license' | UseDirective;

/** Spellings that sites use and Google accepts. */
const DIRECTIVES: Readonly<Record<string, Directive>> = {
  'user-agent': 'agent',
  useragent: 'agent',
  'user agent': 'agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
  'crawl-delay': 'delay',
  crawldelay: 'delay',
  'crawl delay': 'delay',
  license: 'license',
  'content-signal': 'signal',
  'content-usage': 'usage',
};

class RobotsParser {
  readonly groups: Group[] = [];
  readonly sitemaps = new Set<string>();
  readonly licenses = new Set<string>();
  readonly delaysMs = new AddressedLines<number>();
  readonly uses = new RobotsUses();
  private current: Group | null = null;
  /** A rule ends the list of agents; other lines do not (RFC 9309 2.2.4). */
  private hasRules = false;
  /** Rules and agents kept. */
  entryCount = 0;

  read(line: string): void {
    const [directive, value] = splitLine(line);
    switch (directive) {
      case 'agent':
        return this.addAgent(value);
      case 'allow':
      case 'disallow':
        return this.addRule(directive === 'allow', value);
      case 'delay':
        return this.setDelay(value);
      case 'signal':
      case 'usage':
        if (this.uses.add(directive, decodeUtf8(value))) this.entryCount++;
        return;
      case 'license':
        if (value !== '' && this.licenses.size < MAX_LICENSES) this.licenses.add(decodeUtf8(value));
        return;
      case 'sitemap':
        if (value !== '' && this.sitemaps.size < MAX_SITEMAPS) this.sitemaps.add(decodeUtf8(value));
        return;
      case null:
        return;
    }
  }

  private addAgent(value: string): void {
    if (this.current === null || this.hasRules) {
      this.current = { agents: new Set(), rules: [] };
      this.groups.push(this.current);
      this.hasRules = false;
      this.delaysMs.startGroup();
      this.uses.startGroup();
    }
    const token = /^\*(?:\s|$)/.test(value) ? '*' : productToken(value);
    this.delaysMs.addAgent(token);
    this.uses.addAgent(token);
    if (token === '') return;
    this.entryCount++;
    this.current.agents.add(token);
  }

  private addRule(isAllow: boolean, value: string): void {
    // A rule before any agent applies to none (RFC 9309 2.2.1).
    if (this.current === null) return;
    this.hasRules = true;
    const pattern = normalizeEscapes(value);
    this.keep({ isAllow, pattern: compileRobotsPattern(spellingFor(isAllow, pattern)) });
    const directory = isAllow ? indexDirectory(pattern) : null;
    if (directory !== null) this.keep({ isAllow, pattern: compileRobotsPattern(`${directory}$`) });
  }

  private keep(rule: Rule): void {
    // An empty pattern says nothing: `Disallow:` alone forbids nothing.
    if (rule.pattern.length === 0) return;
    this.entryCount++;
    this.current?.rules.push(rule);
  }

  private setDelay(value: string): void {
    const seconds = /^\d+(?:\.\d+)?/.exec(value)?.[0];
    const delayMs = Math.round(Number(seconds) * 1_000);
    if (seconds === undefined || !Number.isSafeInteger(delayMs)) return;
    this.delaysMs.say(delayMs);
  }
}

/**
 * RFC 9309 2.2.2 takes `/%62` and `/b` for the same, Google for different paths. Each rule is read
 * the way that allows less: what forbids by the RFC, what allows by Google.
 */
function spellingFor(isAllow: boolean, normalized: string): string {
  return isAllow ? normalized : decodeUnreserved(normalized);
}

/** Google's rule: allowing `/dir/index.html` allows `/dir/`. */
function indexDirectory(pattern: string): string | null {
  const slash = pattern.lastIndexOf('/');
  return slash >= 0 && pattern.startsWith('index.htm', slash + 1)
    ? pattern.slice(0, slash + 1)
    : null;
}

function splitLine(line: string): readonly [Directive | null, string] {
  const text = trimBlanks(line.slice(0, MAX_LINE_LENGTH).split('#', 1)[0] ?? '');
  const colon = text.indexOf(':');
  // Google reads `Disallow /x`, too, when there are just the two words.
  const match = colon >= 0 ? null : /^([^ \t]+)[ \t]+([^ \t]+)$/.exec(text);
  const key = colon >= 0 ? text.slice(0, colon) : (match?.[1] ?? '');
  const value = colon >= 0 ? text.slice(colon + 1) : (match?.[2] ?? '');
  const name = trimBlanks(key).toLowerCase();
  return [Object.hasOwn(DIRECTIVES, name) ? (DIRECTIVES[name] ?? null) : null, trimBlanks(value)];
}

/**
 * ASCII blanks only: to `trim`, the last byte of `à` in UTF-8 is a space. By hand, so linear on any
 * input.
 */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** The leading product token in lower case: `FooBot/2.1` names `foobot` (RFC 9309 2.2.1). */
function productToken(agent: string): string {
  return /^[a-z_-]*/i.exec(agent)?.[0].toLowerCase() ?? '';
}

function decodeUtf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/** Rules match paths only, so any host will do for an address that has none. */
const ANY_SITE = 'http://site.invalid/';

class ParsedRobots implements RobotsRules {
  readonly sitemaps: readonly string[];
  readonly licenses: readonly string[];
  private readonly groups: readonly Group[];
  private readonly byAgent = new Map<string, readonly Rule[]>();
  private readonly usesByAgent = new Map<string, ReturnType<RobotsUses['for']>>();

  constructor(
    private readonly parser: RobotsParser,
    readonly memoryBytes: number,
  ) {
    this.groups = parser.groups;
    this.sitemaps = [...parser.sitemaps];
    this.licenses = [...parser.licenses];
  }

  isAllowed(url: URL | string, agentToken: string): boolean {
    const { pathname, search } = typeof url === 'string' ? new URL(url, ANY_SITE) : url;
    if (pathname === '/robots.txt') return true;
    const written = normalizePath((pathname + search).slice(0, MAX_PATH_LENGTH));
    const decoded = spellingFor(false, written);
    let scanned = 0;
    for (const { pattern, isAllow } of this.rulesOf(agentToken)) {
      const path = isAllow ? written : decoded;
      scanned += scanLength(pattern, path);
      if (scanned > MAX_SCAN_LENGTH) return false;
      if (matchesPath(pattern, path)) return isAllow;
    }
    return true;
  }

  crawlDelayMs(agentToken: string): number | null {
    const delays = this.parser.delaysMs.to(this.groupNameOf(agentToken));
    return delays.length === 0 ? null : delays.reduce((longest, ms) => Math.max(longest, ms));
  }

  declaredUse(url: URL, agentToken: string): DeclaredUse | undefined {
    const name = this.groupNameOf(agentToken);
    const rules = this.usesByAgent.get(name) ?? this.parser.uses.for(name);
    this.usesByAgent.set(name, rules);
    return declaredAt(rules, url);
  }

  /** The agent's own groups merged, sorted so that the first match decides. */
  private rulesOf(agentToken: string): readonly Rule[] {
    const name = this.groupNameOf(agentToken);
    const known = this.byAgent.get(name);
    if (known !== undefined) return known;
    const own = this.groups.filter(({ agents }) => agents.has(name)).flatMap(({ rules }) => rules);
    const sorted = own.toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllow) - Number(a.isAllow),
    );
    this.byAgent.set(name, sorted);
    return sorted;
  }

  /**
   * An agent that is named nowhere reads the rules for everyone. Our own name is taken whole but
   * for a version: cut down to letters, `Foo2Bot` would read what is meant for `Foo`.
   */
  private groupNameOf(agentToken: string): string {
    const token = (agentToken.split('/', 1)[0] ?? '').toLowerCase();
    return this.groups.some(({ agents }) => agents.has(token)) ? token : '*';
  }
}

/** No file, or none that says anything: everything is allowed. */
export const ALLOW_ALL: RobotsRules = parseRobots('');
/** The file cannot be had: nothing is allowed (RFC 9309 2.3.1.4). */
export const DISALLOW_ALL: RobotsRules = parseRobots('User-agent: *\nDisallow: /');
