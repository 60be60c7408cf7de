import { sendHtml, startFixtureSite, type FixtureSite, type TrawlClient } from '@app/testing';

/** Pages that held a content thread for half a minute, or are as much work as a page may be. */
export const BOMBS: Readonly<Record<string, () => string>> = {
  '/bomb/srcset': () => `<img alt=x srcset="${'a'.repeat(90_000)} b">`,
  '/bomb/openings': () => `<p>x</p>${'<'.repeat(300_000)}`,
  '/bomb/links': () => '<a href=/n>x</a>'.repeat(300_000),
  '/bomb/cells': () => `<table>${'<tr><td>x'.repeat(300_000)}`,
};
const SMALL = '<title>Small</title><main><h1>Small</h1><p>A few words of a small page.</p></main>';

/** A site with {@link BOMBS} and one small page. */
export async function startBombSite(): Promise<FixtureSite> {
  const site = await startFixtureSite();
  site.serve({ '/small': ({ response }) => sendHtml(response, SMALL) });
  for (const [path, make] of Object.entries(BOMBS)) {
    const page = make();
    site.serve({ [path]: ({ response }) => sendHtml(response, page) });
  }
  return site;
}

/** Runs `work` while a tenant scrapes bombs, so many at a time; throws when one of them is no page or failure. */
export async function whileAttacked<T>(
  attacker: TrawlClient,
  site: FixtureSite,
  { atATime }: { readonly atATime: number },
  work: () => Promise<T>,
): Promise<T> {
  const paths = Object.keys(BOMBS);
  let isOver = false;
  const attack = async (first: number): Promise<void> => {
    for (let n = first; !isOver; n++) {
      const url = site.url(`${paths[n % paths.length]}?${n}`);
      const { status, text } = await attacker.scrape({ url, formats: ['markdown', 'links'] });
      if (status !== 200 && status !== 422)
        throw new Error(`${url} answered ${status}: ${text.slice(0, 300)}`);
    }
  };
  const attacks = Array.from({ length: atATime }, (_, n) => attack(n));
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(attacks);
  }
}

/** Milliseconds that scrapes of the small page took, one after the other; each has to bring it. */
export async function scrapeSmall(
  client: TrawlClient,
  site: FixtureSite,
  count: number,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const startedAt = performance.now();
    const { status, text } = await client.scrape({ url: site.url(`/small?${n}`) });
    took.push(performance.now() - startedAt);
    if (status !== 200 || !text.includes('A few words'))
      throw new Error(`a small page answered ${status}: ${text.slice(0, 300)}`);
  }
  return took;
}
