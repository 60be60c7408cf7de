// Which cases of the list a probe of this folder poses, and why the others are not posed: one line of JSON.
import { posedByBrowser } from './browser-cases.mjs';
import { allCases, posableCases } from './cases.mjs';
import { surfaceCases } from './surfaces.mjs';

/** No part of the product does this yet; whoever adds it poses the case. */
const NOT_POSED = {
  S368: 'the screenshot resource: its address passes the same parse as a scrape',
  S375: 'webhooks: their client follows no redirect (libs/egress poses it)',
  S376: 'feeds do not exist yet',
  S381: 'the resolve resource does not exist yet',
};

const listed = new Set(allCases.map(({ id }) => id));
const posed = [...posableCases, ...surfaceCases, ...posedByBrowser].map(({ id }) => id);
const notPosed = NOT_POSED;
console.log(
  JSON.stringify({ posed: [...new Set(posed.filter((id) => listed.has(id)))], notPosed }),
);
