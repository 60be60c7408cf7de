// Which cases of libs/egress/test/ssrf-cases.json can be posed over the network as a URL, and how.
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

/** Surfaces that one fetch can pose; what takes a whole service is in surfaces.mjs. */
const POSABLE = new Set([undefined, 'redirect', 'header']);

export const posableCases = allCases.filter(({ surface }) => POSABLE.has(surface));

/** The URL to ask for: the case's own, or a page of the fixture site that leads to it. */
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
