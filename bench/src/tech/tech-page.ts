import type { ScanInput } from '@app/tech';

/** A page that says which technologies it shows. */
export interface TechPage {
  readonly url: string;
  /** One value each, names in lower case; cookies as the `set-cookie` line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
  readonly expect: readonly string[];
}

/** The page as our scan takes it. */
export function scanInputOf({ url, headers, html }: TechPage): ScanInput {
  const { 'set-cookie': line = '', ...others } = headers;
  const cookies = line
    .split('; ')
    .map((pair) => pair.split('='))
    .filter(([name]) => name !== '' && name !== 'path')
    .map(([name = '', value = '']) => [name, value] as const);
  return {
    url,
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, [value]])),
    cookies: Object.fromEntries(cookies),
    html,
  };
}
