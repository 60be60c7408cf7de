import type { OwnPage } from './site-server.js';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** A sitemap that lists pages. */
export function urlsetOf(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${escaped(url)}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${entries}\n</urlset>`;
}

/** A sitemap that names sitemaps. */
export function sitemapIndexOf(urls: readonly string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${escaped(url)}</loc></sitemap>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${entries}\n</sitemapindex>`;
}

/** A page of a fixture site that is not HTML. */
export function fileOf(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/xml' },
): OwnPage {
  return ({ response }) => void response.writeHead(200, headers).end(body);
}

/** A page of a fixture site that is missing. */
export const NOT_FOUND: OwnPage = ({ response }) => void response.writeHead(404).end('Not found');

/** A page of a fixture site that never answers. */
export const NO_ANSWER: OwnPage = () => undefined;

function escaped(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
