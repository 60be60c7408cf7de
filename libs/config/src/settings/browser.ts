import { flag, integer, oneOf, text, type Field } from '../fields.js';

/** Chromium. */
export const BROWSER_SETTINGS = {
  browser: oneOf(
    'TRAWL_BROWSER',
    'auto: pages that need scripts are rendered, and npm start gets a Chromium where it finds none; none: no local browser.',
    ['auto', 'none'],
    { fallback: 'auto' },
  ),
  chromiumPath: text(
    'CHROMIUM_PATH',
    'Path of Chromium; npm start sets it to the one found on the machine, else to the one it gets.',
  ),
  browserSandbox: oneOf(
    'BROWSER_SANDBOX',
    'Sandbox of Chromium; auto: on where the machine allows it, with a warning at the start where not.',
    ['auto', 'on', 'off'],
    { fallback: 'auto' },
  ),
  browserMax: integer('BROWSER_MAX', 'Chromium processes of one fetcher; 0: no browser.', {
    fallback: 2,
    min: 0,
    max: 256,
  }),
  browserPages: integer(
    'BROWSER_PAGES',
    'Pages that one Chromium has open at once for one tenant or for crawls; for those that come meanwhile it opens half as many more.',
    {
      fallback: 4,
      min: 1,
      max: 64,
    },
  ),
  browserWarm: integer('BROWSER_WARM', 'Chromium processes kept started.', {
    fallback: 0,
    min: 0,
    max: 256,
  }),
  browserMaxRssMib: integer(
    'BROWSER_MAX_RSS_MIB',
    'Memory in MiB, children included, above which a Chromium is replaced.',
    { fallback: 2_048, min: 128, max: 1_048_576 },
  ),
  browserPageMib: integer('BROWSER_PAGE_MIB', 'MiB one page may load.', {
    fallback: 100,
    min: 1,
    max: 1_048_576,
  }),
  browserStealth: flag(
    'BROWSER_STEALTH',
    'After a bot wall the browser tries the page once more without the marks of automation.',
    { fallback: true },
  ),
} as const satisfies Record<string, Field<unknown>>;
