import { BlockedUrlError } from '@app/egress';
import type { RefusalRecord } from './page-source.js';
import { navigationError } from './network-errors.js';
import { answerRefusalOf, navigationRefusal } from './refused-navigation.js';
import { outOfTime, RenderError } from './render-error.js';
import type { Rendering } from './rendering.js';

/**
 * Loads the page until its document is there. A body that is not shown (no content, or no markup)
 * ends the navigation too; the gate has it then.
 * @throws BlockedUrlError | RenderError
 */
export async function navigate(rendering: Rendering, session: RefusalRecord): Promise<void> {
  const { cdp, request, lifeline, gate, frame } = rendering;
  assertOfWeb(request.url);
  const before = frame.documents;
  const work = cdp.send('Page.navigate', { url: request.url.href });
  const { errorText = '', isDownload } = await lifeline.hold(work, 'the page was loaded');
  const refused = answerRefusalOf(session, gate.responseOf());
  if (refused !== null) throw refused;
  if (errorText === '') {
    // Without a document there is nothing to read, which would look like an empty page.
    const isThere = await frame.documentAfter(before, lifeline.deadline.remainingMs());
    if (!isThere) throw outOfTime('the page was loaded');
    return;
  }
  if (gate.raw !== null) return;
  if (isDownload) throw new RenderError('parse_error', 'the address is a download');
  const isBodiless = /ERR_(?:ABORTED|HTTP_RESPONSE_CODE_FAILURE)/.test(errorText);
  if (isBodiless && gate.responseOf() !== null) return;
  throw navigationRefusal(session, gate.lastUrl) ?? navigationError(errorText);
}

/** A browser opens files and pages of its own too: whatever came before, it is given none. */
function assertOfWeb(url: URL): void {
  if (!/^https?:$/.test(url.protocol)) throw new BlockedUrlError('parse', url.href);
}
