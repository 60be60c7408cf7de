import { createHash } from 'node:crypto';
import type { ScrapeTask } from '@app/contracts';

/** Increment it when the same request must yield another result than before: old copies are then not found. */
const DOCUMENT_VERSION = 3;

/**
 * Headers that describe the wanted content, not the caller. Any other may be a secret, or the server may return
 * one for it.
 */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * Identifies the copy that may serve a request: SHA-256, in hexadecimal, of everything that affects the result.
 * Null if the request must bypass the cache: it carries cookies, credentials or actions, so the page is
 * personal.
 */
export function variantKey(task: ScrapeTask): string | null {
  const url = new URL(task.url);
  if (isPersonal(task, url)) return null;
  // A fragment is not sent to a server.
  url.hash = '';
  const shape = { ...shapeOf(task), url: url.href, version: DOCUMENT_VERSION };
  return createHash('sha256').update(JSON.stringify(shape, inOrder)).digest('hex');
}

function isPersonal({ fetch }: ScrapeTask, url: URL): boolean {
  return (
    (fetch.cookies ?? '') !== '' ||
    fetch.profile !== undefined ||
    fetch.actions.length > 0 ||
    url.username !== '' ||
    url.password !== '' ||
    Object.keys(fetch.headers).some((name) => !HARMLESS_HEADERS.has(name.toLowerCase()))
  );
}

/**
 * The task without the fields that only decide whether there is a result, not which. The list names the omitted
 * fields: a new field of tasks separates variants until it is added here.
 */
function shapeOf(task: ScrapeTask): object {
  const {
    requestId: _r,
    tenantId: _t,
    plan: _p,
    deadlineAtMs: _d,
    maxAgeMs: _x,
    minAgeMs: _n,
    cleanHtml = false,
    shot = null,
    passages: _q,
    maxTokens: _m,
    ...rest
  } = task;
  const { costCeilingMicroUsd: _c, cookies: _k, ...fetch } = task.fetch;
  return {
    ...rest,
    // Absent and default are the same request.
    ...(cleanHtml ? { cleanHtml } : {}),
    ...(shot === null ? {} : { shot }),
    formats: [...new Set(task.formats)].toSorted(),
    fetch: { ...fetch, headers: withLowerCaseNames(fetch.headers) },
  };
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** For `JSON.stringify`: fields in alphabetical order, so that equal tasks have equal text. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
