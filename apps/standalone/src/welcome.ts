import { LINK_MINUTES } from '@app/accounts';
import type { Settings } from '@app/config';
import type { LaunchResult } from '@app/fetch';
import { BROWSER_FIX } from '../../fetcher/src/outbound/open-browsers.js';

export interface Welcome {
  readonly url: string;
  /** The key, if this is the first start. */
  readonly firstKey: string | null;
  readonly keyFile: string;
  readonly exampleUrl: string;
  readonly rendering: string;
  /** Signs in to the account page once; null: with the key. */
  readonly signInLink: string | null;
}

/** Whether pages that need scripts are rendered; if not, why and how to fix it. */
export function renderingLine(
  browser: LaunchResult | 'late' | null,
  { browserWsUrl, hostedCrawlerUrl }: Pick<Settings, 'browserWsUrl' | 'hostedCrawlerUrl'>,
): string {
  const what = 'Pages that need scripts:';
  if (browser === 'late') return `${what} the browser is still starting; the log will say more`;
  if (browser?.ok) return `${what} rendered by Chromium ${browser.version}`;
  if (browserWsUrl !== undefined) return `${what} rendered by the browser of BROWSER_WS_URL`;
  if (hostedCrawlerUrl !== undefined) return `${what} rendered by HOSTED_CRAWLER_URL`;
  if (browser === null) return `${what} NOT rendered: switched off by TRAWL_BROWSER or BROWSER_MAX`;
  return `${what} NOT rendered: ${browser.problem}.\n  Fix: ${BROWSER_FIX}`;
}

/** Printed when the service is up: URL, key, and three commands to paste. */
export function welcomeText(welcome: Welcome): string {
  const { url, firstKey, keyFile, exampleUrl, rendering, signInLink: link } = welcome;
  const key = firstKey ?? `$(cat '${keyFile}')`;
  const post = (path: string, body: object): string =>
    `curl -s ${url}${path} -H "x-api-key: ${key}" -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return [
    '',
    `  Trawl is ready at ${url}`,
    firstKey === null
      ? `  Your key is in ${keyFile}`
      : `  Your key (shown once, kept in ${keyFile}):\n\n  ${firstKey}`,
    '',
    '  Scrape a page:',
    '',
    post('/v1/scrape', { url: exampleUrl }),
    '',
    '  Crawl a site:',
    '',
    `JOB=$(${post('/v1/crawl', { url: exampleUrl, limit: 20 })} | tee /dev/stderr | sed 's/.*"jobId":"\\([^"]*\\)".*/\\1/')`,
    '',
    '  Check its progress:',
    '',
    `curl -s ${url}/v1/crawl/$JOB -H "x-api-key: ${key}"`,
    '',
    link === null
      ? `  Your account (sign in with the key): ${url}/dashboard`
      : `  Your account (this link signs in once, for ${LINK_MINUTES} minutes; later ${url}/dashboard):\n  ${link}`,
    `  ${rendering}`,
    '  More: README.md, or npm start -- --help',
    '',
    '  Ctrl-C stops everything.',
    '',
    '',
  ].join('\n');
}
