// Cases of the guard that ssrf-cases.json lacks; each is what one mutant of guard-mutants.mjs fails.
// `allow`: rules of FETCH_ALLOW_PRIVATE; `named`: a rule for this name on port 80, also where that setting
// refuses it; `deny`: EGRESS_DENY; `own`: addresses of the machine's interfaces; `via`: what of the guard is asked, `url` when absent.
const PUBLIC = '93.184.216.34';
let count = 0;
const blocked = (url, more = {}) => ({
  id: `G${String(++count).padStart(3, '0')}`,
  url,
  expect: 'block',
  ...more,
});
const open = (url, more = {}) => ({ ...blocked(url, more), expect: 'allow' });

const SUFFIXES = [
  ...['onion', 'invalid', 'in-addr.arpa', 'ip6.arpa', 'localhost', 'localdomain', 'localdomain6'],
  ...[
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
  ],
  'cluster.local',
];
/** The WHATWG's list of bad ports, written down a second time. */
const BAD_PORTS =
  '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
  '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
  '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080';

const SAMPLES = [
  ...[
    '0.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    '127.1.2.3',
    '168.63.129.16',
    '169.254.1.1',
    '172.31.0.1',
  ],
  ...['192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.9.9', '198.19.0.1', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '250.0.0.1', '[::]', '[::1]', '[::5db8:d822]'],
  ...[
    '[::ffff:0:5db8:d822]',
    '[64:ff9b:1::5db8:d822]',
    '[100::1]',
    '[100:0:0:1::1]',
    '[2001:1::1]',
  ],
  ...[
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[fd12::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff0e::1]',
  ],
  ...[
    '[4000::1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
  ],
  ...['[2002:7f00:1::1]', '[2001:0:1:2:3:4:80ff:fffe]', '[2001:0:1:2:3:4:a247:27dd]', '[::7f00:1]'],
  ...['[2606:4700::5efe:7f00:1]', '[2606:4700::200:5efe:a00:1]'],
];

const anywhere = '0.0.0.0/0:80,[::]/0:80';
const NEVER_NAMES = ['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data'];
const METADATA = [
  ...['100.100.100.200', '168.63.129.16', '169.254.169.254', '192.0.0.192', '[fd00:c1::a9fe:a9fe]'],
  ...[
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fe80::1]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
  ],
];
const NO_HOSTS = ['0.0.0.0', '224.0.0.1', '255.255.255.255', '[::]', '[ff02::1]'];

export const ownGuardCases = [
  ...SAMPLES.map((address) => blocked(`http://${address}/`)),
  ...SUFFIXES.flatMap((suffix) => [
    blocked(`http://a.${suffix}/`, { dns: { [`a.${suffix}`]: [PUBLIC] } }),
    blocked(`http://${suffix}/`, { dns: { [suffix]: [PUBLIC] } }),
  ]),
  ...BAD_PORTS.split(' ').map((port) =>
    blocked(`http://site.example:${port}/`, { dns: { 'site.example': [PUBLIC] } }),
  ),
  ...[...NEVER_NAMES, 'instance-data.ec2.internal'].map((name) =>
    blocked(`http://${name}/`, { dns: { [name]: ['10.0.0.5'] }, named: name }),
  ),
  ...['a.onion', 'a.invalid', '1.0.0.10.in-addr.arpa', 'a.ip6.arpa'].map((name) =>
    blocked(`http://${name}/`, { dns: { [name]: ['10.0.0.5'] }, named: name }),
  ),
  ...[...METADATA, ...NO_HOSTS].map((host) => blocked(`http://${host}/`, { allow: anywhere })),
  blocked('http://10.0.0.5:81/', { allow: '10.0.0.5/32:80' }),
  blocked('http://10.0.0.6/', { allow: '10.0.0.5/32:80' }),
  open('http://10.0.0.5/', { allow: '10.0.0.5/32:80' }),
  blocked('http://printer.local/', { dns: { 'printer.local': [PUBLIC] }, allow: '10.0.0.5/32:80' }),
  blocked('http://printer.local/', {
    dns: { 'printer.local': ['10.0.0.5'] },
    allow: '10.0.0.5/32:80',
  }),
  blocked('http://open.example/', {
    dns: { 'open.example': ['10.0.0.5'] },
    allow: '10.0.0.5/32:80',
  }),
  open('http://wiki.lan/', { dns: { 'wiki.lan': ['10.0.0.5'] }, allow: 'wiki.lan:80' }),
  open('http://named.example/', {
    dns: { 'named.example': ['10.0.0.5'] },
    allow: 'named.example:80',
  }),
  blocked('http://wiki.lan:81/', { dns: { 'wiki.lan': ['10.0.0.5'] }, allow: 'wiki.lan:80' }),
  blocked('http://other.lan/', { dns: { 'other.lan': ['10.0.0.5'] }, allow: 'wiki.lan:80' }),
  blocked('http://named.example/', {
    dns: { 'named.example': ['169.254.169.254'] },
    allow: 'named.example:80',
  }),
  blocked(`http://${PUBLIC}/`, { own: [PUBLIC] }),
  blocked(`http://[::ffff:${PUBLIC}]/`, { own: [PUBLIC] }),
  blocked('http://[2606:4700::1]/', { own: ['2606:4700:0::1'] }),
  blocked('http://own.example/', { dns: { 'own.example': [PUBLIC] }, own: [PUBLIC] }),
  open(`http://${PUBLIC}/`, { own: [PUBLIC], allow: `${PUBLIC}/32:80` }),
  blocked(`http://${PUBLIC}/`, { deny: `${PUBLIC}/32` }),
  blocked('http://10.0.0.5/', { deny: '10.0.0.0/8', allow: '10.0.0.5/32:80' }),
  blocked(`http://[::ffff:${PUBLIC}]/`, { deny: `${PUBLIC}/32` }),
  blocked('http://named.example/', {
    dns: { 'named.example': ['10.0.0.5'] },
    deny: '10.0.0.0/8',
    allow: 'named.example:80',
  }),
  blocked('http://printer.local/', { dns: { 'printer.local': [PUBLIC] } }),
  blocked('http://intranet/', { dns: { intranet: [PUBLIC] } }),
  blocked('http://a..example/', { dns: { 'a..example': [PUBLIC] } }),
  blocked('http://a.local./', { dns: { 'a.local': [PUBLIC], 'a.local.': [PUBLIC] } }),
  blocked('http://user@site.example/', { dns: { 'site.example': [PUBLIC] } }),
  blocked('http://:pass@site.example/', { dns: { 'site.example': [PUBLIC] } }),
  blocked('http://010.8.8.8/'),
  blocked(`http://site.example/${'a'.repeat(16_000)}`, { dns: { 'site.example': [PUBLIC] } }),
  blocked('ftp://site.example/', { dns: { 'site.example': [PUBLIC] } }),
  blocked('http://mixed.example/', { dns: { 'mixed.example': [PUBLIC, '10.0.0.5'] } }),
  blocked('http://inner.example/', { dns: { 'inner.example': ['::ffff:10.0.0.5'] } }),
  blocked('http://odd.example/', { dns: { 'odd.example': ['010.0.0.5'] } }),
  blocked('http://odd.example/', { dns: { 'odd.example': ['08.8.8.8'] } }),
  blocked('http://127.0.0.1/', { via: 'parse alone' }),
  blocked('http://127.0.0.1/', { via: 'vet alone' }),
  blocked(PUBLIC, { via: 'confirm', dialled: '127.0.0.1' }),
  blocked(PUBLIC, { via: 'confirm', dialled: undefined }),
  open(PUBLIC, { via: 'confirm', dialled: `::ffff:${PUBLIC}` }),
  blocked('dial refuses a socket that the check refuses', { via: 'dial' }),
  blocked('dial goes to the vetted address', { via: 'dial elsewhere' }),
  blocked('a redirect to a closed port of this machine', { via: 'redirect' }),
  ...['127.0.0.1:443', '[site.example]:443', 'user@site.example:443', 'site%2eexample:443'].map(
    (authority) => blocked(authority, { via: 'connect' }),
  ),
  ...['127.1:443', 'site.example:25', 'site.example:0443', '134744072:443', '0x8.8.8.8:443'].map(
    (authority) => blocked(authority, { via: 'connect' }),
  ),
  ...['127.0.0.1:443', 'localhost:443', '[::ffff:127.0.0.1]:443'].map((authority) =>
    blocked(authority, { via: 'connect' }),
  ),
  ...['http://127.0.0.1/', 'http://user@site.example/', 'https://site.example/'].map((url) =>
    blocked(url, { via: 'absolute' }),
  ),
  blocked('[2606:4700:0::1]:443', { via: 'connect' }),
  open('[2606:4700::1]:443', { via: 'connect' }),
  blocked('a door of the proxy', { via: 'door' }),
];
