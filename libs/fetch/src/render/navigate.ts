import { BlockedUrlError } from '@app/egress';
import type { RefusalRecord } from './page-source.js';
import { navigationError } from './network-errors.js';
import { RenderError } from './render-error.js';
import type { Rendering } from './rendering.js';
import type { MainResponse } from './request-gate.js';

/** The filtering proxy's mark on answers of its own; it takes it off those of sites. */
const REFUSED_HEADER = 'x-trawl-refused';

/**
 * Loads the page until its document is there. A body that is not shown (no content, or no markup) ends
 * the navigation too; the gate has it then.
 * @throws BlockedUrlError | RenderError
 */
export async function navigate(rendering: Rendering, session: RefusalRecord): Promise<void> {
  const { cdp, request, lifeline, gate, frame } = rendering;
  const before = frame.documents;
  const work = cdp.send('Page.navigate', { url: request.url.href });
  const { errorText, isDownload } = await lifeline.hold(work, 'the page was loaded');
  const answer = gate.responseOf();
  const refused = errorText || answer ? refusalOf(session, gate.lastUrl, answer) : null;
  if (refused) throw refused;
  if (errorText === undefined || errorText === '') {
    await frame.documentAfter(before, lifeline.deadline.remainingMs());
    return;
  }
  if (gate.raw !== null) return;
  if (isDownload) throw new RenderError('parse_error', 'the address is a download');
  const isBodiless = /ERR_(?:ABORTED|HTTP_RESPONSE_CODE_FAILURE)/.test(errorText);
  if (isBodiless && gate.responseOf() !== null) return;
  throw navigationError(errorText);
}

/**
 * What the filtering proxy refused, when that was the page itself and not one of its parts: its answer
 * says so for http, its record for a tunnel, of which Chromium tells only that there was none.
 */
export function refusalOf(
  session: RefusalRecord,
  url: string,
  response: MainResponse | null,
): Error | null {
  const word = response?.headers[REFUSED_HEADER];
  if (response && word !== undefined) return refusalError(word, response.url);
  const refusal = session.lastRefusal;
  if (refusal === null || !isSameTarget(refusal.target, url)) return null;
  return refusalError(refusal.kind, url);
}

function refusalError(kind: string, url: string): Error {
  switch (kind) {
    case 'blocked':
      return new BlockedUrlError('subresource', url);
    case 'timeout':
      return new RenderError('timeout', 'the site took too long');
    case 'budget':
      return new RenderError('unknown', 'the page asked for more than one page may');
    default:
      return new RenderError('network', 'the site could not be reached');
  }
}

function isSameTarget(target: string, url: string): boolean {
  const { href, hostname, port, protocol } = new URL(url);
  const portOf = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return target === href || target === url || target === `${hostname}:${portOf}`;
}
