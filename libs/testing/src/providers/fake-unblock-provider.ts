import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';
import { fetchLoopbackPage, type LoopbackPage } from './loopback-page.js';
import { startLoopbackServer, type ProviderRequest } from './loopback-server.js';

/** `blocked`: the site's gate comes back as the page, as if the provider had not got past it. */
export type UnblockMode = 'ok' | 'blocked' | FailureMode;

export interface FakeUnblockProviderOptions {
  /** @default 'fake-unblock-key' */
  readonly key?: string;
  /** What is answered in the mode `ok`, for every address. @default the loopback page, or a canned one */
  readonly html?: string;
  /** Delay of the mode `slow`. @default 1_000 */
  readonly slowMs?: number;
}

export interface FakeUnblockProvider {
  readonly key: string;
  /** `GET …?key={key}&url={url}&country={country}&render={render}`: the body is the page. */
  readonly getUrl: string;
  /** `POST {"url", "key", …}`: the page is at /solution/response, beside /solution/status and /url. */
  readonly postUrl: string;
  /** For all requests to come; a request's own `x-fake-mode` header or `/mode/NAME` path goes before. */
  mode: UnblockMode;
  /** Oldest first. */
  readonly requests: readonly ProviderRequest[];
  /** Settings texts for the two ways, as an operator would write them. */
  settingText(kind: 'get' | 'post', overrides?: Readonly<Record<string, unknown>>): string;
  close(): Promise<void>;
}

/** A third party's fetch API on loopback that can fail in every way. */
export async function startFakeUnblockProvider(
  options: FakeUnblockProviderOptions = {},
): Promise<FakeUnblockProvider> {
  const { key = 'fake-unblock-key', slowMs = 1_000 } = options;
  const state: { mode: UnblockMode } = { mode: 'ok' };
  const server = await startLoopbackServer(async (request, response) => {
    const asked = readQuery(request);
    const mode = modeOf(request) ?? state.mode;
    const good = () => goodAnswer(request, asked, options.html);
    if (isFailureMode(mode)) {
      const errorBody = (status: number) => JSON.stringify({ error: `code ${status}`, key });
      const context = { mode, presentedKey: asked.key, slowMs, errorBody, good };
      return answerBadly(response, context);
    }
    if (asked.key !== key) return void response.writeHead(401).end('{"error":"bad key"}');
    if (!asked.url) return void response.writeHead(400).end('{"error":"no url"}');
    const { contentType, body, status } =
      mode === 'blocked' ? gateAnswer(request, asked.url) : { ...(await good()), status: 200 };
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    key,
    getUrl: `${origin}/fetch?key={key}&url={url}&country={country}&render={render}`,
    postUrl: `${origin}/v1`,
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    requests: server.requests,
    settingText: (kind, overrides) => settingText(kind, origin, key, overrides),
    close: server.close,
  };
}

function settingText(
  kind: 'get' | 'post',
  origin: string,
  key: string,
  overrides: Readonly<Record<string, unknown>> = {},
): string {
  const common = { name: `fake-${kind}`, key, priceMicroUsd: 1_500 };
  if (kind === 'get') {
    const url = `${origin}/fetch?key={key}&url={url}&country={country}&render={render}`;
    return JSON.stringify({ ...common, url, ...overrides });
  }
  return JSON.stringify({
    ...common,
    url: `${origin}/v1`,
    headers: { authorization: 'Bearer {key}' },
    body: { cmd: 'request.get', url: '{url}', country: '{country}', maxTimeout: '{timeoutMs}' },
    html: '/solution/response',
    status: '/solution/status',
    finalUrl: '/solution/url',
    ...overrides,
  });
}

interface UnblockQuery {
  readonly key: string;
  readonly url: string;
}

function readQuery({ method, path, headers, body }: ProviderRequest): UnblockQuery {
  const bearer = headers['authorization']?.replace(/^Bearer /, '');
  if (method !== 'POST') {
    const query = new URL(path, 'http://fake').searchParams;
    return { key: query.get('key') ?? bearer ?? '', url: query.get('url') ?? '' };
  }
  const json = JSON.parse(body) as { readonly key?: string; readonly url?: string };
  return { key: json.key ?? bearer ?? '', url: json.url ?? '' };
}

function modeOf({ path, headers }: ProviderRequest): UnblockMode | null {
  const text = headers['x-fake-mode'] ?? /^\/mode\/([^/?]+)/.exec(path)?.[1];
  if (text === undefined) return null;
  if (text === 'ok' || text === 'blocked' || isFailureMode(text)) return text;
  throw new Error(`no such mode: ${text}`);
}

async function goodAnswer(
  request: ProviderRequest,
  { url }: UnblockQuery,
  html: string | undefined,
) {
  const page =
    html === undefined
      ? await fetchLoopbackPage(url, {})
      : { url, statusCode: 200, contentType: 'text/html; charset=utf-8', html };
  return shaped(request, page);
}

function gateAnswer(request: ProviderRequest, url: string) {
  const html =
    '<!doctype html><html><head><title>Just a moment...</title></head><body>' +
    '<div id="challenge-running">Checking your browser before accessing the site.</div></body></html>';
  const page = { url, statusCode: 403, contentType: 'text/html; charset=utf-8', html };
  return { ...shaped(request, page), status: 200 };
}

/** A GET's answer is the page alone; a POST's is JSON around it. */
function shaped({ method }: ProviderRequest, page: LoopbackPage) {
  if (method !== 'POST') return { contentType: page.contentType, body: page.html };
  const solution = { url: page.url, status: page.statusCode, response: page.html };
  return { contentType: 'application/json', body: JSON.stringify({ status: 'ok', solution }) };
}
