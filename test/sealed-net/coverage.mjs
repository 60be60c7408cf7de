// Which cases of the list a probe of this folder covers, and why the others are not covered: one
// line of JSON.
import { coveredByBrowser } from './browser-cases.mjs';
import { allCases, networkCases } from './cases.mjs';
import { surfaceCases } from './surfaces.mjs';

/** No part of the product does this yet; cover the case with the feature. */
const NOT_COVERED = {
  S368: 'the screenshot resource: its address passes the same parse as a scrape',
  S375: 'webhooks: their client follows no redirect (libs/egress covers it)',
  S376: 'feeds do not exist yet',
  S381: 'the resolve resource does not exist yet',
};

const listed = new Set(allCases.map(({ id }) => id));
const covered = [...networkCases, ...surfaceCases, ...coveredByBrowser].map(({ id }) => id);
const notCovered = NOT_COVERED;
console.log(
  JSON.stringify({ covered: [...new Set(covered.filter((id) => listed.has(id)))], notCovered }),
);
