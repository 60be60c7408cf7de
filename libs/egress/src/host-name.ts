/**
 * What a DNS name says before it is resolved.
 * `never`: machine metadata, or a tree that holds no page; no setting opens it.
 * `private`: names of the local network or this machine; only an allow rule opens them.
 */
export type NameKind = 'public' | 'private' | 'never';

const NEVER_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** `.onion` must not reach a resolver (RFC 7686 2), `.invalid` never exists (RFC 6761 6.4). */
const NEVER_SUFFIXES = ['onion', 'invalid', 'in-addr.arpa', 'ip6.arpa'];

const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'localdomain6',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'test',
  'svc',
  'cluster.local',
];

/** One trailing dot marks a fully qualified name and is dropped; the rest is the name. */
export function stripRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Classifies a WHATWG-parsed host that is not a literal address. */
export function classifyName(host: string): NameKind {
  const name = stripRootDot(host).toLowerCase();
  // `127.0.0.1..` parses as a name with an empty label, which no resolver reads alike.
  if (name.split('.').includes('')) return 'never';
  if (NEVER_NAMES.has(name) || NEVER_SUFFIXES.some((suffix) => isUnder(name, suffix)))
    return 'never';
  if (!name.includes('.')) return 'private';
  return PRIVATE_SUFFIXES.some((suffix) => isUnder(name, suffix)) ? 'private' : 'public';
}

function isUnder(name: string, suffix: string): boolean {
  return name === suffix || name.endsWith(`.${suffix}`);
}
