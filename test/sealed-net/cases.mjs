// Which cases of libs/egress/test/ssrf-cases.json can be covered over the network as a URL, and
// how.
import { readFileSync } from 'node:fs';

const file = new URL('../../libs/egress/test/ssrf-cases.json', import.meta.url);

/** Every case of the list. */
export const allCases = JSON.parse(readFileSync(file, 'utf8')).map(withOwnName);

/** S268 gives loopback to a name that S218 wants public; one name server cannot say both. */
function withOwnName(one) {
  if (one.id !== 'S268') return one;
  const rename = (text) => text.replace('example.com', 'loopback.example.com');
  const dns = Object.fromEntries(
    Object.entries(one.dns).map(([name, answers]) => [rename(name), answers]),
  );
  return { ...one, url: rename(one.url), whatwgHost: rename(one.whatwgHost), dns };
}

/** Surfaces that one fetch can cover; those that need a whole service are in surfaces.mjs. */
const NETWORK = new Set([undefined, 'redirect', 'header']);

const OWN = '93.184.216.99';
const OWN_SIX = '2606:2800:220:1::99';
const why = 'a public address of the own interface reaches what listens on all addresses';

/**
 * What the list lacks: public addresses that this machine's interfaces have. Canaries listen there.
 */
const ownCases = [
  { id: 'N001', url: `http://${OWN}/`, whatwgHost: OWN },
  { id: 'N002', url: `http://[${OWN_SIX}]/`, whatwgHost: `[${OWN_SIX}]` },
  { id: 'N003', url: 'http://own.example/', dns: { 'own.example': [OWN] } },
  {
    id: 'N004',
    url: 'http://own-mixed.example/',
    dns: { 'own-mixed.example': ['93.184.216.34', OWN] },
  },
  { id: 'N005', url: `http://[::ffff:${OWN}]/` },
  {
    id: 'N006',
    url: 'http://site.example/redirect/N006',
    surface: 'redirect',
    response: { status: 302, location: `http://${OWN}:8080/` },
  },
].map((one) => ({ ...one, expect: 'block', group: 'own-address', why }));

export const networkCases = [
  ...allCases.filter(({ surface }) => NETWORK.has(surface)),
  ...ownCases,
];

/** The URL to request: the case's own, or a page of the fixture site that leads to it. */
export function urlOf({ id, url, surface }) {
  return surface === undefined ? url : `http://site.example/${surface}/${id}`;
}

/** Names whose answers change from one query to the next: what counts is where the bytes went. */
const REBINDING = new Set(['S231', 'S232', 'S345']);

export function mayRebind({ id }) {
  return REBINDING.has(id);
}

/**
 * Whether the outcome is right: `reached` the fixture, `blocked`, `invalid` (refused as no URL) or
 * anything else (`unresolved`, `failed …`). The canaries judge the rest.
 */
export function isRight(one, outcome) {
  const { expect, optional, spec, surface } = one;
  if (mayRebind(one)) return ['blocked', 'reached', 'unresolved'].includes(outcome);
  if (surface === 'header') return outcome === 'reached';
  if (expect === 'allow')
    return outcome === 'reached' || (optional === true && outcome === 'blocked');
  return outcome === 'blocked' || (spec === 'invalid' && outcome === 'invalid');
}
