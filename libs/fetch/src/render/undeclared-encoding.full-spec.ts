import { decodeBody, sniffCharset } from '@app/content';
import { SiteServer, type OwnPage } from '@app/testing';
import { undeclaredPages } from '../../../testing/src/site/undeclared-pages.js';
import { LocalPages } from '../../test/local-pages.js';

const MIN_SHARE = 0.98;
/** Chromium knows the first only where it is declared, and takes the second for whatever is near. */
const NOT_IN_CHROMIUM = ['iso-2022-jp', 'windows-1258'];
const PAGES = undeclaredPages().filter(({ encoding }) => !NOT_IN_CHROMIUM.includes(encoding));

/** One tab reads all pages, one after the other, as a site without a domain serves them. */
async function readByChromium(): Promise<readonly string[]> {
  const site = await SiteServer.start(({ response }) => void response.writeHead(404).end('none'));
  const pageOf = (body: Uint8Array): OwnPage => {
    return ({ response }) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  };
  site.serve(Object.fromEntries(PAGES.map(({ body }, at) => [`/${at}`, pageOf(body)])));
  const { browser } = await LocalPages.open();
  try {
    const tab = await browser.newPage();
    const texts: string[] = [];
    for (const at of PAGES.keys()) {
      await tab.goto(site.url(`/${at}`));
      texts.push(await tab.content());
    }
    return texts;
  } finally {
    await browser.close();
    await site.close();
  }
}

describe('pages that declare no encoding', () => {
  it(`are read as Chromium reads them: ${PAGES.length} pages`, async () => {
    const texts = await readByChromium();
    const ours = PAGES.map(({ body }) => decodeBody(body, sniffCharset(body, 'text/html')));
    const other = PAGES.filter((_, at) => texts[at] !== ours[at]);
    const right = PAGES.filter(({ html }, at) => texts[at] === html).length;
    console.info(
      `${PAGES.length - other.length} of ${PAGES.length} as Chromium, which reads ${right} right; not: ` +
        other.map(({ encoding, name }) => `${encoding} ${name}`).join(', '),
    );
    expect(new Set(PAGES.map(({ encoding }) => encoding)).size).toBe(20);
    expect(PAGES.length - other.length).toBeGreaterThanOrEqual(MIN_SHARE * PAGES.length);
  });
});
