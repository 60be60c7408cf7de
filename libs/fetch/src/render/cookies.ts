import type { BrowserContext } from 'playwright';
import type { FetchRequest } from '../fetch-rung.js';
import { RenderError } from './render-error.js';

interface CookieParam {
  readonly name: string;
  readonly value: string;
  readonly url?: string;
  readonly domain?: string;
  readonly path?: string;
}

/** Gives the context the cookies of the request: those of a Cookie header to the page's own host only. */
export async function giveCookies(context: BrowserContext, request: FetchRequest): Promise<void> {
  const cookies = givenCookies(request);
  if (cookies.length === 0) return;
  try {
    await context.addCookies(cookies);
  } catch {
    // Chromium's own message would show their values.
    throw new RenderError('unknown', 'the browser refused the cookies');
  }
}

/** Those that the request brings along. */
export function givenCookies({ url, options, render }: FetchRequest): readonly CookieParam[] {
  return [
    ...cookiesOf(options.cookies ?? '', url),
    ...render.cookies.map(({ name, value, domain, path }) => ({ name, value, domain, path })),
  ];
}

/** RFC 6265 5.4, read backwards: `a=1; b=2`. */
function cookiesOf(header: string, url: URL): readonly CookieParam[] {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    return at <= 0 || name === ''
      ? []
      : [{ name, value: pair.slice(at + 1).trim(), url: `${url.origin}/` }];
  });
}
