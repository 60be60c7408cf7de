// Every rule of the guard, each with the edit of its source that switches it off. Rows of tables are
// read from the source, so a new row is a new mutant.
import { readFileSync } from 'node:fs';

const GUARD = 'egress/src/guard.ts';
const TABLE = 'egress/src/address-table.ts';
const NAMES = 'egress/src/host-name.ts';
const ALLOW = 'egress/src/allow-private.ts';
const DENY = 'egress/src/deny-ranges.ts';
const OWN = 'egress/src/own-addresses.ts';
const TEXT = 'egress/src/url-text.ts';
const ADDRESS = 'egress/src/ip-address.ts';
const DIAL = 'egress/src/dial.ts';
const CLIENT = 'egress/src/http-client.ts';
const TARGET = 'egress/src/filtering-proxy/proxy-target.ts';
const PROXY = 'egress/src/filtering-proxy/filtering-proxy.ts';

const sourceOf = (file) => readFileSync(new URL(`../../libs/${file}`, import.meta.url), 'utf8');

/** The part of a file between two texts, both of which must be there. */
function part(file, from, to) {
  const text = sourceOf(file);
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  if (start < 0 || end < 0) throw new Error(`${file} has no part ${from} … ${to}`);
  return text.slice(start + from.length, end);
}

/** One mutant per row of a table; `row` must find its name in its first group. */
function rows({ rule, file, from, to, row, also = () => [] }) {
  const body = part(file, from, to);
  return [...body.matchAll(row)].map((match) => ({
    rule: `${rule} ${match[1]}`,
    edits: [[file, match[0], '', from]],
    cover: also(match[1]),
  }));
}

/** All that lies outside 2000::/3 is refused anyhow, so that lock is opened too. */
const OPEN_UNICAST = [TABLE, "cidrOf('2000::/3')", "cidrOf('::/0')"];
const isOutsideUnicast = (range) => range.includes(':') && !/^[23][0-9a-f]{3}:/.test(range);

/** Forms whose whole range is refused by a row of its own; that row goes too. */
const COVERING_ROWS = {
  '::ffff:0:0:0/96': '::ffff:0:0:0/96',
  '64:ff9b:1::/48': '64:ff9b:1::/48',
  '2001::/32': '2001::/23',
  '::/96': '::/96',
};

/** Both lie in ::/96, the IPv4-compatible addresses. */
const WITHIN_COMPATIBLE = ['::/128', '::1/128'];

function withoutSpecialRow(range) {
  const body = part(TABLE, 'SPECIAL_RANGES: readonly SpecialRange[] = [', '];');
  const row = new RegExp(`\\{\\s*range: '${range}',[^}]*\\},`).exec(body)?.[0];
  if (row === undefined) throw new Error(`The address table has no row ${range}`);
  return [TABLE, row, ''];
}

const addressRows = rows({
  rule: 'address',
  file: TABLE,
  from: 'SPECIAL_RANGES: readonly SpecialRange[] = [',
  to: '];',
  row: /\{\s*range: '([^']+)',[^}]*\},/g,
  also: (range) => (isOutsideUnicast(range) ? [OPEN_UNICAST] : []),
}).map((mutant) => withEmbeddedFormToo(mutant));

/** A range that is also unwrapped has two locks: the inner address decides where the row does not. */
function withEmbeddedFormToo(mutant) {
  const range = mutant.rule.replace('address ', '');
  if (WITHIN_COMPATIBLE.includes(range)) {
    return {
      ...mutant,
      cover: [...mutant.cover, withoutForm('::/96'), withoutSpecialRow('::/96')],
    };
  }
  const covered = Object.entries(COVERING_ROWS).find(([, row]) => row === range)?.[0];
  if (covered === undefined) return mutant;
  return { ...mutant, cover: [...mutant.cover, withoutForm(covered)] };
}

function withoutForm(prefix) {
  const body = part(TABLE, 'EMBEDDED_FORMS: readonly EmbeddedForm[] = [', '];');
  const row = new RegExp(`\\{ prefix: '${prefix}',[^}]*\\},`).exec(body)?.[0];
  if (row === undefined) throw new Error(`No embedded form ${prefix}`);
  return [TABLE, row, ''];
}

const formRows = [
  ...part(TABLE, 'EMBEDDED_FORMS: readonly EmbeddedForm[] = [', '];').matchAll(
    /prefix: '([^']+)'/g,
  ),
].map(([, prefix]) => ({
  rule: `unwrapping ${prefix}`,
  edits: [withoutForm(prefix)],
  cover: prefix in COVERING_ROWS ? [withoutSpecialRow(COVERING_ROWS[prefix]), OPEN_UNICAST] : [],
}));

const quoted = /'([^']+)',?/g;
const nameRows = [
  ['name', 'NEVER_NAMES: ReadonlySet<string> = new Set([', ']);'],
  ['suffix', 'NEVER_SUFFIXES = [', '];'],
  ['suffix', 'PRIVATE_SUFFIXES = [', '];'],
].flatMap(([rule, from, to]) => rows({ rule, file: NAMES, from, to, row: quoted }));

const portRows = rows({
  rule: 'port',
  file: TEXT,
  from: 'BAD_PORTS: ReadonlySet<number> = new Set([',
  to: ']);',
  row: /\b(\d+),/g,
});

const allowRows = [
  ['metadata, whatever is allowed:', 'METADATA = cidrs([', ']);'],
  ['no host, whatever is allowed:', 'NOT_A_HOST = cidrs([', ']);'],
].flatMap(([rule, from, to]) => rows({ rule, file: ALLOW, from, to, row: quoted }));

const one = (rule, file, from, to, ...cover) => ({ rule, edits: [[file, from, to]], cover });
const VET_ADMITS = [
  GUARD,
  "if (!this.isAdmissible(url)) throw this.deny('connect', url.href);",
  '',
];

const OWN_SPELLING = [TARGET, 'url.hostname !== host.toLowerCase() ||', ''];

const conditions = [
  one('length of a URL', GUARD, 'text.length > MAX_URL_LENGTH ||', ''),
  one('schemes', GUARD, "url.protocol !== 'http:' && url.protocol !== 'https:'", 'false'),
  one(
    'user names',
    GUARD,
    "if (url.username !== '' || url.password !== '' || isBadPort",
    "if (url.password !== '' || isBadPort",
  ),
  one(
    'passwords',
    GUARD,
    "if (url.username !== '' || url.password !== '' || isBadPort",
    "if (url.username !== '' || isBadPort",
  ),
  one('ports', GUARD, '|| isBadPort(port)', ''),
  one(
    'spelling of IPv4',
    GUARD,
    '(isIpv4Host(url) && !isCanonicalIpv4Text(text, url, base))',
    'false',
  ),
  one('rules of parse', GUARD, '!this.isAdmissible(url) ||', ''),
  one('rules of parse, again before dialling', ...VET_ADMITS),
  one(
    'literal addresses',
    GUARD,
    'this.isPublic(bytes) || isAllowedPrivate(this.allowPrivate, bytes, port)',
    'true',
  ),
  one(
    'names by their kind: private',
    GUARD,
    'return isNamedHost(this.allowPrivate, host, port);',
    'return true;',
  ),
  one(
    'names by their kind: never',
    GUARD,
    "case 'never':\n        return false;",
    "case 'never':\n        return true;",
  ),
  one('answers of names', GUARD, 'if (!answers.every(isFine))', 'if (false)'),
  one('all answers, not some', GUARD, 'answers.every(isFine)', 'answers.some(isFine)'),
  one(
    'names that no rule names',
    GUARD,
    '(isNamed && !isNeverAllowed(bytes))',
    '!isNeverAllowed(bytes)',
  ),
  one('metadata behind a named host', GUARD, '(isNamed && !isNeverAllowed(bytes))', 'isNamed'),
  one('own addresses', GUARD, '&& !this.ownAddresses.has(bytes)', ''),
  one(
    'own addresses inside another form',
    OWN,
    'return inner !== null && own.has(formatAddress(inner));',
    'return false;',
  ),
  one(
    'denied ranges: addresses',
    GUARD,
    'if (isInRanges(this.deniedRanges, bytes)) return false;',
    '',
  ),
  one(
    'denied ranges: answers',
    GUARD,
    'bytes === null || isInRanges(this.deniedRanges, bytes)',
    'bytes === null',
  ),
  one(
    'denied ranges inside another form',
    DENY,
    '|| (inner !== null && cidrContains(range, inner))',
    '',
  ),
  one('the check of the socket', GUARD, '!target.addresses.includes(dialled)', 'false'),
  one('the check of the socket: no address at all', GUARD, 'dialled === null ||', ''),
  one('the socket is checked', DIAL, 'guard.confirm(url, target, socket.remoteAddress);', ''),
  one(
    'only vetted addresses are dialled',
    DIAL,
    'net.connect({ host,',
    "net.connect({ host: '127.0.0.1',",
    [DIAL, 'guard.confirm(url, target, socket.remoteAddress);', ''],
  ),
  one(
    'redirects are checked again',
    CLIENT,
    "this.guard.parse(location, base, 'redirect')",
    'new URL(location, base)',
    VET_ADMITS,
  ),
  one('the address unwrapped', TABLE, 'if (innerReason !== null)', 'if (false)'),
  one(
    'unwrapping ISATAP',
    TABLE,
    'return isIsatap(bytes) ? bytes.slice(12) : null;',
    'return null;',
  ),
  one(
    'unwrapping Teredo: bits flipped',
    TABLE,
    'form.isInverted ?',
    'false ?',
    withoutSpecialRow('2001::/23'),
  ),
  one('outside global unicast', TABLE, 'return isDialable ? null', 'return true ? null'),
  one('empty labels', NAMES, "if (name.split('.').includes('')) return 'never';", ''),
  one('single labels', NAMES, "if (!name.includes('.')) return 'private';", ''),
  one(
    'the trailing dot',
    NAMES,
    "return host.endsWith('.') ? host.slice(0, -1) : host;",
    'return host;',
  ),
  one(
    'suffixes by label',
    NAMES,
    'name === suffix || name.endsWith(`.${suffix}`)',
    'name === suffix',
  ),
  one(
    'leading zeros in addresses',
    ADDRESS,
    'if (!DECIMAL_BYTE.test(part) || value > 255)',
    'if (value > 255)',
  ),
  one('mapped answers as IPv4', ADDRESS, 'isMapped(bytes) ? bytes.subarray(12) : bytes', 'bytes'),
  one(
    'allowed: the port',
    ALLOW,
    "rule.kind === 'range' && isPortIn(rule, port) &&",
    "rule.kind === 'range' &&",
  ),
  one(
    'allowed: the range',
    ALLOW,
    'isPortIn(rule, port) && cidrContains(rule.cidr, address)',
    'isPortIn(rule, port)',
  ),
  one('named: the port', ALLOW, 'rule.host === name && isPortIn(rule, port)', 'rule.host === name'),
  one(
    'named: the name',
    ALLOW,
    'rule.host === name && isPortIn(rule, port)',
    'isPortIn(rule, port)',
  ),
  one(
    'allowed: metadata inside another form',
    ALLOW,
    '|| (inner !== null && isMetadata(inner))',
    '',
  ),
  one(
    'CONNECT: the authority',
    TARGET,
    String.raw`/^([\w.-]+|\[[\da-f:.]+\]):([1-9]\d{0,4})$/i`,
    String.raw`/^(.*):(\d+)$/`,
    // What is read loosely is still compared with what was written: two locks.
    OWN_SPELLING,
  ),
  one('CONNECT: its own spelling', ...OWN_SPELLING),
  one(
    'CONNECT: the guard',
    TARGET,
    "guard.parse(`https://${authority}/`, undefined, 'subresource')",
    'new URL(`https://${authority}/`)',
  ),
  one(
    'absolute form: the guard',
    TARGET,
    "guard.parse(text, undefined, 'subresource')",
    'new URL(text)',
  ),
  one('absolute form: http only', TARGET, "if (url.protocol !== 'http:')", 'if (false)'),
  one(
    'no session port leads to a session port',
    PROXY,
    'if (!this.isOwnPort(socket)) return socket;',
    'return socket;',
  ),
];

/**
 * What each mutant lacks, and how its source differs. `cover`: other rules that would refuse the same,
 * switched off too; what fails without these alone does not count.
 */
export const guardMutants = [
  ...addressRows,
  ...formRows,
  ...nameRows,
  ...portRows,
  ...allowRows,
  ...conditions,
];

/** Mutants that no case can fail, since another rule says the same; each says which. */
export const REDUNDANT = {
  'suffix cluster.local': '`local` covers it; it is there to be read',
  'the check of the socket: no address at all': 'no list of vetted addresses holds null',
};
