import {
  valueAtPointer,
  fillJson,
  fillUrl,
  type HttpRequest,
  type HttpResponse,
} from '@app/egress';
import type { FetchRequest } from '../fetch-rung.js';
import { carriesIdentity } from './caller-identity.js';
import type { HttpProviderSetting, TemplateValues } from './http-provider-setting.js';
import {
  acceptPage,
  callThirdParty,
  encodeCapped,
  isStatus,
  jsonCap,
  readJsonResponse,
  statusFailure,
  vetTarget,
  type EndpointClient,
  type HandedPage,
  type TargetGuard,
} from './third-party.js';
import { failedTry, type ProviderResult, type UnblockProvider } from './unblock-provider.js';

export interface HttpProviderOptions {
  readonly setting: HttpProviderSetting;
  /** Admits the provider's endpoint. */
  readonly http: EndpointClient;
  /** Vets the page's address before the provider receives it. */
  readonly guard: TargetGuard;
}

type Failure = Extract<ProviderResult, { ok: false }>;
type Handed = Omit<HandedPage, 'tookMs' | 'isRendered'>;

/** Milliseconds kept for the way back of a response that took the provider all its time. */
const RETURN_MS = 250;

/**
 * Paid: a third party's fetch API. It receives the address and the country; the caller's headers
 * and cookies only with `forwardHeaders`, without which a request that depends on them is not
 * handed over. Nothing of its errors is shown, for they may quote the key.
 */
export class HttpProvider implements UnblockProvider {
  readonly costClass = 'paid';
  readonly name: string;
  readonly costMicroUsd: number;

  constructor(private readonly options: HttpProviderOptions) {
    this.name = options.setting.name;
    this.costMicroUsd = options.setting.priceMicroUsd;
  }

  refuses({ options }: FetchRequest): Failure | null {
    if (this.options.setting.forwardHeaders || !carriesIdentity(options)) return null;
    return failedTry(
      'provider_error',
      'the request carries cookies or headers that this provider is not given',
    );
  }

  async fetch(request: FetchRequest): Promise<ProviderResult> {
    const { setting, guard, http } = this.options;
    const failure = this.refuses(request) ?? (await vetTarget(guard, request));
    if (failure !== null) return failure;
    const startedAt = performance.now();
    const asked = await callThirdParty(http, this.toRequest(request));
    if (!asked.ok) return asked;
    const { response } = asked;
    const handed =
      setting.html === null
        ? readRaw(response)
        : readWrapped(response, { ...setting, html: setting.html }, request.maxBytes);
    if ('ok' in handed) return handed;
    if (this.holdsKey(response)) {
      return failedTry('provider_error', "the provider's answer quotes our key");
    }
    const tookMs = performance.now() - startedAt;
    return acceptPage(guard, request, { ...handed, tookMs, isRendered: setting.render });
  }

  private toRequest({ url, deadline, signal, maxBytes, options }: FetchRequest): HttpRequest {
    const { setting } = this.options;
    const due = deadline.within(setting.timeoutMs);
    const isForwarded = setting.forwardHeaders;
    const values: TemplateValues = {
      key: setting.key,
      url: url.href,
      country: options.country,
      render: setting.render,
      timeoutMs: Math.max(1, due.remainingMs() - RETURN_MS),
      headers: isForwarded ? options.headers : null,
      cookies: isForwarded ? options.cookies : null,
    };
    return {
      url: fillUrl(setting.url, values),
      ...this.message(values),
      deadline: due,
      ...(signal ? { signal } : {}),
      maxBytes: setting.html === null ? maxBytes : jsonCap(maxBytes),
    };
  }

  /** A GET hands the caller's headers on as its own; a POST has places for them in its body. */
  private message(values: TemplateValues): Pick<HttpRequest, 'method' | 'headers' | 'body'> {
    const { body, key } = this.options.setting;
    const own = Object.fromEntries(
      Object.entries(this.options.setting.headers).map(([name, text]) => [
        name.toLowerCase(),
        text.replaceAll('{key}', () => key),
      ]),
    );
    if (body === undefined) return { headers: { ...forwarded(values), ...own } };
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...own },
      body: JSON.stringify(fillJson(body, values)),
    };
  }

  private holdsKey({ body }: HttpResponse): boolean {
    const { key } = this.options.setting;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return key !== '' && [key, encodeURIComponent(key)].some((text) => bytes.includes(text));
  }
}

function forwarded({ headers, cookies }: TemplateValues): Readonly<Record<string, string>> {
  return { ...headers, ...(cookies === null ? {} : { cookie: cookies }) };
}

/** The response is the page itself; a status that is none of the provider's own is the site's. */
function readRaw({ status, headers, body, truncation }: HttpResponse): Handed | Failure {
  const refusal = statusFailure(status);
  if (refusal !== null) return isSites(status) ? siteError(status) : refusal;
  if (truncation !== null && truncation !== 'byte_cap') {
    return failedTry('provider_error', "the provider's answer broke off");
  }
  if (body.byteLength === 0) return failedTry('provider_error', "the provider's answer is empty");
  const contentType = headers['content-type'];
  return {
    url: null,
    statusCode: status,
    contentType: typeof contentType === 'string' ? contentType : null,
    body,
    isCut: truncation === 'byte_cap',
  };
}

const PROVIDERS_OWN: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 429]);

function isSites(status: number): boolean {
  return status >= 400 && status < 500 && !PROVIDERS_OWN.has(status);
}

function siteError(status: number): Failure {
  return failedTry('http_error', `HTTP ${status}`, { statusCode: status });
}

/** The response is JSON with the page inside. */
function readWrapped(
  response: HttpResponse,
  setting: HttpProviderSetting & { readonly html: string },
  maxBytes: number,
): Handed | Failure {
  const refusal = statusFailure(response.status);
  if (refusal !== null) return refusal;
  const read = readJsonResponse(response);
  if (!read.ok) return read;
  const html = valueAtPointer(read.json, setting.html);
  if (typeof html !== 'string' || html === '') {
    return failedTry('provider_error', "the provider's answer holds no page");
  }
  const statusCode =
    setting.status === null ? 200 : Number(valueAtPointer(read.json, setting.status));
  if (!isStatus(statusCode)) {
    return failedTry('provider_error', "the provider's answer holds no status");
  }
  const url = setting.finalUrl === null ? null : valueAtPointer(read.json, setting.finalUrl);
  return {
    url: typeof url === 'string' && url !== '' ? url : null,
    statusCode,
    contentType: 'text/html; charset=utf-8',
    ...encodeCapped(html, maxBytes),
  };
}
