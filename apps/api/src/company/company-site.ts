import { newId, ApiError } from '@app/contracts';
import { invalidRequest } from '../http/invalid-request.js';
import type { TargetCheck } from '../fetchers/target-check.js';

/** A request names a company's site by a domain, or by any URL of it, in either field. */
export interface NamedSite {
  readonly domain?: string;
  readonly url?: string;
}

export const DOMAIN_DESCRIPTION =
  'The company: a domain (`example.com`), or any URL of its site. A domain is fetched by https, then by http if that fails. Required, as `domain` or `url`.';

/**
 * URLs of the homepage in the order to try: two if the request named no scheme.
 * @throws ApiError
 */
export function homepagesOf(
  { domain, url }: NamedSite,
  targets: Pick<TargetCheck, 'parse'>,
): readonly [string, ...string[]] {
  const named = [domain, url].map((one) => one?.trim() ?? '').filter((one) => one !== '');
  const [text] = named;
  if (text === undefined) throw new ApiError('domain_required');
  if (named.some((one) => one !== text)) {
    throw invalidRequest('`domain` and `url` are two names of one field: send one of them');
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return [rootOf(targets.parse(text))];
  return bareDomain(text, targets);
}

function bareDomain(
  text: string,
  targets: Pick<TargetCheck, 'parse'>,
): readonly [string, ...string[]] {
  // An e-mail address is not interpreted as its domain.
  if (text.includes('@')) throw notADomain(text);
  const url = targets.parse(`https://${text}`);
  const isName = url.hostname.includes('.') || url.hostname.startsWith('[');
  if (!isName) throw notADomain(text);
  return [rootOf(url), rootOf(targets.parse(`http://${text}`))];
}

function notADomain(text: string): ApiError {
  const domain = text.split('@').at(-1) ?? '';
  const hint = /^[\w-]+(\.[\w-]+)+$/.test(domain)
    ? `Did you mean ${domain}?`
    : 'Send a domain such as example.com, or a URL of its site.';
  return new ApiError('invalid_url', {}, { hint });
}

function rootOf(url: URL): string {
  return `${url.origin}/`;
}

/** With less time left, http is not tried. */
const LEAST_TRY_MS = 2_000;

interface SiteTask {
  readonly requestId: string;
  readonly url: string;
  readonly deadlineAtMs: number;
}

/** If the request named no scheme and the first URL returns no data, tries the second. */
export async function requestInTurn<Task extends SiteTask, Reply extends { readonly kind: string }>(
  task: Task,
  second: string | undefined,
  send: (task: Task) => Promise<Reply>,
): Promise<Reply> {
  const reply = await send(task);
  const isTimeLeft = task.deadlineAtMs - Date.now() >= LEAST_TRY_MS;
  if (reply.kind !== 'failed' || second === undefined || !isTimeLeft) return reply;
  const again = await send({ ...task, requestId: newId(), url: second });
  return again.kind === 'failed' ? reply : again;
}
