/** Every page of the site. */
export async function pageUrls(siteUrl: string): Promise<readonly string[]> {
  const paths = (await (await fetch(`${siteUrl}/__urls`)).json()) as readonly string[];
  return paths.map((path) => siteUrl + path);
}

/**
 * Some pages under other addresses, to be fetched before the clock starts: a browser is up then and
 * code is warm, for every contender alike.
 */
export function warmUpUrls(urls: readonly string[], concurrency: number): readonly string[] {
  return urls.slice(0, 2 * concurrency).map((url, at) => `${url}?warm-up=${at}`);
}
