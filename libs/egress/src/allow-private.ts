import { embeddedIpv4, isPublicAddress } from './address-table.js';
import { classifyName, stripRootDot } from './host-name.js';
import {
  type AddressBytes,
  type Cidr,
  cidrContains,
  isMapped,
  parseAddress,
  parseCidr,
} from './ip-address.js';
import { bareHost, isBadPort, portOf } from './url-text.js';

interface PortRange {
  readonly lowPort: number;
  readonly highPort: number;
  /** The entry as it was written, for the log line at start. */
  readonly text: string;
}

/**
 * One exception to the guard, on these ports: `range` opens the addresses of a range for URLs that
 * spell the address itself; `host` opens one name, whatever addresses it has. No range opens a
 * name: the owner of a public name can point it at any address.
 */
export type AllowPrivateRule =
  | (PortRange & { readonly kind: 'range'; readonly cidr: Cidr })
  | (PortRange & { readonly kind: 'host'; readonly host: string });

/**
 * Reads the FETCH_ALLOW_PRIVATE setting, comma-separated: `cidr:port` or `host:port`, the port also
 * as `low-high`, IPv6 in brackets, e.g.
 * `127.0.0.1/32:8080,[fd00:1::]/64:8000-8100,wiki.internal:443`. Empty text is no exception at all.
 * @throws Error naming the bad entry.
 */
export function parseAllowPrivate(text: string): AllowPrivateRule[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRule);
}

const PORTS = String.raw`:(\d{1,5})(?:-(\d{1,5}))?$`;
const RANGE_RULE = new RegExp(String.raw`^(?:\[([^\]]+)\]|([\d.]+))/(\d{1,3})${PORTS}`);
const HOST_RULE = new RegExp(String.raw`^([^\s/:@?#\\[\]]+)${PORTS}`);

function parseRule(entry: string): AllowPrivateRule {
  const range = RANGE_RULE.exec(entry);
  if (range !== null) {
    const [, ipv6, ipv4, bits, low, high] = range;
    const cidr = parseCidr(`${ipv6 ?? ipv4}/${bits}`);
    if (cidr === null)
      throw badRule(entry, 'the range is malformed or has bits set past its prefix');
    return { kind: 'range', cidr, ...portsOf(entry, low, high) };
  }
  const [, name, low, high] = HOST_RULE.exec(entry) ?? [];
  const host = name === undefined ? null : hostOf(name);
  if (host === null) {
    const examples = '127.0.0.1/32:8080, [::1]/128:8080 or wiki.internal:443';
    throw badRule(entry, `expected cidr:port or host:port, e.g. ${examples}`);
  }
  return { kind: 'host', host, ...portsOf(entry, low, high) };
}

/** The name as URLs have it; null for what is no name, or one that nothing opens. */
function hostOf(text: string): string | null {
  const host = URL.parse(`http://${text}/`)?.hostname ?? '';
  if (!/^[\w.-]+$/.test(host) || parseAddress(host) !== null || classifyName(host) === 'never')
    return null;
  return stripRootDot(host);
}

function portsOf(entry: string, low?: string, high = low): PortRange {
  const lowPort = Number(low);
  const highPort = Number(high);
  if (lowPort < 1 || highPort > 65_535 || lowPort > highPort) {
    throw badRule(entry, 'ports run from 1 to 65535, low before high');
  }
  return { lowPort, highPort, text: entry };
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

/** No exception opens these. */
export function isNeverAllowed(bytes: AddressBytes): boolean {
  const inner = embeddedIpv4(bytes);
  const isMetadata = (address: AddressBytes) =>
    METADATA.some((cidr) => cidrContains(cidr, address));
  if (isMetadata(bytes) || (inner !== null && isMetadata(inner))) return true;
  return NOT_A_HOST.some((cidr) => cidrContains(cidr, bytes));
}

/** Whether a rule opens this address, spelled in the URL itself, on this port. */
export function isAllowedPrivate(
  rules: readonly AllowPrivateRule[],
  bytes: AddressBytes,
  port: number,
): boolean {
  if (isNeverAllowed(bytes)) return false;
  const address = isMapped(bytes) ? bytes.subarray(12) : bytes;
  return rules.some(
    (rule) => rule.kind === 'range' && isPortIn(rule, port) && cidrContains(rule.cidr, address),
  );
}

/** Whether a rule names this host and port. */
export function isNamedHost(
  rules: readonly AllowPrivateRule[],
  host: string,
  port: number,
): boolean {
  const name = stripRootDot(host).toLowerCase();
  return rules.some((rule) => rule.kind === 'host' && rule.host === name && isPortIn(rule, port));
}

function isPortIn({ lowPort, highPort }: PortRange, port: number): boolean {
  return port >= lowPort && port <= highPort;
}

/**
 * The FETCH_ALLOW_PRIVATE entry that would open a refused URL, such as `127.0.0.1/32:8080`; null
 * where no entry can. Read from the URL's text alone, so it reveals nothing of the network.
 */
export function allowRuleFor(url: URL): string | null {
  const port = portOf(url);
  if (!/^https?:$/.test(url.protocol) || isBadPort(port)) return null;
  const host = bareHost(url);
  const bytes = parseAddress(host);
  if (bytes === null) {
    const name = stripRootDot(host);
    return classifyName(name) === 'private' ? `${name}:${port}` : null;
  }
  if (isPublicAddress(host) || isNeverAllowed(bytes)) return null;
  return bytes.length === 4 ? `${host}/32:${port}` : `[${host}]/128:${port}`;
}
