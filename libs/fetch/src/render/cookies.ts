import type { BrowserContext, Page } from 'playwright';
import type { BrowserCookie } from '@app/contracts';
import type { FetchRequest } from '../fetch-rung.js';
import { LATE, type Lifeline } from './lifeline.js';
import { RenderError } from './render-error.js';

interface CookieParam {
  readonly name: string;
  readonly value: string;
  readonly url?: string;
  readonly domain?: string;
  readonly path?: string;
  readonly secure?: boolean;
  readonly httpOnly?: boolean;
  readonly expires?: number;
  readonly sameSite?: 'Strict' | 'Lax';
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
    ...cookiesOf(options.cookies ?? '', url).filter(
      ({ name }) => !render.cookies.some((one) => one.name === name),
    ),
    ...render.cookies.map(({ sameSite, ...cookie }) => ({
      ...cookie,
      ...(sameSite === undefined ? {} : { sameSite: SAME_SITE[sameSite] }),
    })),
  ];
}

const SAME_SITE = { strict: 'Strict', lax: 'Lax' } as const;

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

const MAX_READ_MS = 2_000;

/** All cookies of a visit, as it ends: up to 3,300 in Chromium. None where the page does not respond. */
export async function keptCookies({
  page,
  lifeline,
}: {
  readonly page: Page;
  readonly lifeline: Lifeline;
}): Promise<readonly BrowserCookie[]> {
  const all = await lifeline
    .atMost(page.context().cookies(), MAX_READ_MS)
    .catch((): typeof LATE => LATE);
  if (all === LATE) return [];
  return all.map(({ name, value, domain, path, ...cookie }) => {
    const { secure, httpOnly, expires, sameSite } = cookie;
    const isStrict = sameSite === 'Strict';
    return {
      ...{ name, value, domain, path, secure, httpOnly },
      ...(expires > 0 ? { expires } : {}),
      ...(sameSite === 'None'
        ? {}
        : { sameSite: isStrict ? ('strict' as const) : ('lax' as const) }),
    };
  });
}
