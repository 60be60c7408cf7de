import { type Element } from 'domhandler';

/**
 * The base of a page's relative addresses (HTML standard 2.4.3): the first `<base href>`, itself
 * resolved against the final address; a base that is no web address is passed over.
 */
export function pageBase(described: readonly Element[], url: string): string {
  const base = described.find(
    (element) => element.name === 'base' && element.attribs.href !== undefined,
  );
  if (base?.attribs.href === undefined) return url;
  const resolved = URL.parse(base.attribs.href, url) ?? undefined;
  const isWeb = resolved?.protocol === 'http:' || resolved?.protocol === 'https:';
  return resolved !== undefined && isWeb ? resolved.href : url;
}
