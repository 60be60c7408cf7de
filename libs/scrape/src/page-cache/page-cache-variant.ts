import { createHash } from 'node:crypto';
import type { ScrapeTask } from '@app/contracts';

/** Raise it when the same request is to give another document than before: old copies are then not found. */
const DOCUMENT_VERSION = 2;

/** Headers that say what is wanted, not who wants it. Any other may be a secret or be answered as one. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * Names the copy a request may be served from: SHA-256, in hexadecimal, of everything that shapes the
 * document. Null when the request may not meet the cache at all: it carries cookies, credentials or
 * actions, so the page is somebody's own.
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
    fetch.actions.length > 0 ||
    url.username !== '' ||
    url.password !== '' ||
    Object.keys(fetch.headers).some((name) => !HARMLESS_HEADERS.has(name.toLowerCase()))
  );
}

/**
 * The task without what decides only whether a document comes, not which one. Named are the fields left
 * out: one that is new to tasks makes variants of its own until somebody says that it need not.
 */
function shapeOf(task: ScrapeTask): object {
  const {
    requestId: _r,
    tenantId: _t,
    plan: _p,
    deadlineAtMs: _d,
    maxAgeMs: _x,
    minAgeMs: _n,
    ...rest
  } = task;
  const { costCeilingMicroUsd: _c, cookies: _k, ...fetch } = task.fetch;
  return {
    ...rest,
    formats: [...new Set(task.formats)].toSorted(),
    fetch: { ...fetch, headers: withLowerCaseNames(fetch.headers) },
  };
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** For `JSON.stringify`: fields in the order of their names, so that equal tasks give equal text. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
