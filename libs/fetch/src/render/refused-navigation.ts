import { BlockedUrlError, REFUSED_HEADER, type RefusalKind } from '@app/egress';
import type { MainResponse } from './page-request-gate.js';
import type { RefusalRecord } from './page-source.js';
import { RenderError } from './render-error.js';

/** The filtering proxy's refusal of the address of a failed navigation; null when it refused none. */
export function navigationRefusal(session: RefusalRecord, url: string): Error | null {
  const kinds = targetsOf(url).map((target) => session.refusalOf(target));
  const kind = kinds.find((one) => one !== null);
  return kind ? refusalError(kind, url) : null;
}

/**
 * The same for a response that came: the proxy's own, where it can give one, which is for http. Its
 * record must say so too, since inside a tunnel every site can set the mark.
 */
export function responseRefusal(
  session: RefusalRecord,
  response: MainResponse | null,
): Error | null {
  if (response === null || !response.url.startsWith('http:')) return null;
  if (response.headers[REFUSED_HEADER] === undefined) return null;
  return navigationRefusal(session, response.url);
}

function refusalError(kind: RefusalKind, url: string): Error {
  switch (kind) {
    case 'blocked':
      return new BlockedUrlError('subresource', url);
    case 'timeout':
      return new RenderError('timeout', 'the site took too long');
    case 'budget':
      return new RenderError('unknown', 'the page made more requests than one page may');
    case 'network':
      return new RenderError('network', 'the site could not be reached');
  }
}

/**
 * Targets under which the proxy may know the address: the address itself, or a tunnel to its host.
 */
function targetsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { href, hostname, port, protocol } = new URL(url);
  const portOf = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return [href.split('#', 1)[0] ?? href, `${hostname}:${portOf}`];
}
