import { embeddedIpv4, isPublicAddress } from './address-table.js';
import {
  type AddressBytes,
  type Cidr,
  canonicalAddress,
  cidrContains,
  parseAddress,
  parseCidr,
} from './ip-address.js';

/** One exception to the guard: addresses of this range may be dialled on these ports. */
export interface AllowPrivateRule {
  readonly cidr: Cidr;
  readonly lowPort: number;
  readonly highPort: number;
  /** The entry as it was written, for the log line at start. */
  readonly text: string;
}

/**
 * Reads the FETCH_ALLOW_PRIVATE setting: `cidr:port` or `cidr:low-high`, comma-separated, IPv6 in
 * brackets, e.g. `127.0.0.1/32:8080,[fd00:1::]/64:8000-8100`. Empty text is no exception at all.
 * @throws Error naming the bad entry.
 */
export function parseAllowPrivate(text: string): AllowPrivateRule[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRule);
}

const RULE = /^(?:\[([^\]]+)\]|([\d.]+))\/(\d{1,3}):(\d{1,5})(?:-(\d{1,5}))?$/;

function parseRule(entry: string): AllowPrivateRule {
  const match = RULE.exec(entry);
  if (match === null)
    throw badRule(entry, 'expected cidr:port, e.g. 127.0.0.1/32:8080 or [::1]/128:8080');
  const [, ipv6, ipv4, bits, low, high] = match;
  const cidr = parseCidr(`${ipv6 ?? ipv4}/${bits}`);
  if (cidr === null) throw badRule(entry, 'the range is malformed or has bits set past its prefix');
  const lowPort = Number(low);
  const highPort = Number(high ?? low);
  if (lowPort < 1 || highPort > 65_535 || lowPort > highPort) {
    throw badRule(entry, 'ports run from 1 to 65535, low before high');
  }
  return { cidr, lowPort, highPort, text: entry };
}

function badRule(entry: string, problem: string): Error {
  return new Error(`Bad FETCH_ALLOW_PRIVATE entry "${entry}": ${problem}`);
}

/**
 * Credentials of the machine are served here, so no exception reaches them, in whatever form
 * they are wrapped. Link-local is listed whole: every cloud but a few keeps its metadata there.
 */
const METADATA = cidrs([
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.192/32',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fe80::/10',
]);

/** Not one host: dialling them reaches something else than the rule's author had in mind. */
const NOT_A_HOST = cidrs(['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/128', 'ff00::/8']);

function cidrs(ranges: readonly string[]): readonly Cidr[] {
  return ranges.map(parseCidr).filter((cidr) => cidr !== null);
}

function isNeverAllowed(bytes: AddressBytes): boolean {
  const inner = embeddedIpv4(bytes);
  const isMetadata = (address: AddressBytes) =>
    METADATA.some((cidr) => cidrContains(cidr, address));
  if (isMetadata(bytes) || (inner !== null && isMetadata(inner))) return true;
  return NOT_A_HOST.some((cidr) => cidrContains(cidr, bytes));
}

/** Whether a rule opens this non-public address on this port. */
export function isAllowedPrivate(
  rules: readonly AllowPrivateRule[],
  ip: string,
  port: number,
): boolean {
  const bytes = parseAddress(canonicalAddress(ip) ?? '');
  if (bytes === null || isNeverAllowed(bytes)) return false;
  return rules.some((rule) => isPortIn(rule, port) && cidrContains(rule.cidr, bytes));
}

/** Whether the address may be dialled: public, or opened by a rule. */
export function isDialable(rules: readonly AllowPrivateRule[], ip: string, port: number): boolean {
  return isPublicAddress(ip) || isAllowedPrivate(rules, ip, port);
}

/** Whether any rule speaks of this port; only then may a private name go on to the resolver. */
export function isPortOpened(rules: readonly AllowPrivateRule[], port: number): boolean {
  return rules.some((rule) => isPortIn(rule, port));
}

function isPortIn(rule: AllowPrivateRule, port: number): boolean {
  return port >= rule.lowPort && port <= rule.highPort;
}
