import type { RedirectStep } from '@app/contracts';
import { BlockedUrlError } from '@app/egress';
import type { CDPSession } from 'playwright';
import type { FetchRequest } from '../fetch-rung.js';
import type { Lifeline } from './lifeline.js';
import { RenderError } from './render-error.js';
import { isNeedless, THIRD_PARTY_PATTERNS } from './third-parties.js';
import { copyBody, isMarkup, isReadable, takeBody, type RawBody } from './raw-body.js';

export interface PageRequestGateOptions {
  readonly cdp: CDPSession;
  readonly lifeline: Lifeline;
  /** The page's own origin: only there the headers go. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Pictures, fonts and media are not worth their bytes without a screenshot. */
  readonly refusesHeavy: boolean;
  /** Requests that no page needs for its content are refused. */
  readonly refusesThirdParties: boolean;
  /**
   * Documents, and data of the page's own origin, are requested anew, whatever the HTTP cache of the context has of a
   * former page. With data of others the header would need a preflight (Fetch standard, CORS-safelisted headers).
   */
  readonly bypassesCache: boolean;
  /** A main document that is no markup needs not be shown: its bytes are taken, and that is all. */
  readonly takesRaw: boolean;
  readonly onRedirect: ((target: URL) => Promise<void>) | undefined;
  readonly signDocument: FetchRequest['signDocument'];
  /** Whether the guard refused that address. */
  readonly isRefused: (url: string) => boolean;
  /** Notes all requests, and how many there may be; null: not needed. */
  readonly log: PageRequestLog | null;
}

/** The response that brings a document of the main frame. */
export interface MainResponse {
  readonly url: string;
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The X-Robots-Tag headers one by one, where there are several. */
  readonly robotsTags?: readonly string[] | undefined;
  readonly atMs: number;
}

/** As Chromium pauses it; `networkId` is the loader of the document that a navigation brings. */
interface Paused {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly networkId?: string;
  readonly redirectedRequestId?: string;
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

const HEAVY = ['Image', 'Font', 'Media'] as const;
const DATA = ['XHR', 'Fetch'] as const;
/** As a browser sends it when a page is loaded anew (RFC 9111, 5.2.1.4). */
const NO_CACHE = { 'cache-control': 'no-cache', pragma: 'no-cache' } as const;
/**
 * Documents the main frame may request in one task, redirects aside: one that reloads itself for
 * ever ends here.
 */
const MAX_DOCUMENTS = 20;
/** Chromium's own bound; enforced here so that it does not depend on Chromium. */
const MAX_REDIRECTS = 20;

/**
 * Decides on requests of the page that need a decision: documents of
 * the main frame (robots of their targets, status, redirects), heavy resources, requests to the
 * page's own origin when the caller gave headers, and all of a watched page. Everything else passes
 * without a stop.
 */
export class PageRequestGate {
  readonly redirects: RedirectStep[] = [];
  /** Of the main frame. Set before anything is loaded. */
  frameId = '';
  /** The main document as it came, when it is no markup. */
  raw: RawBody | null = null;
  private readonly responses = new Map<string, MainResponse>();
  private last: MainResponse | null = null;
  private documents = 0;
  private readonly whenTaken = Promise.withResolvers<void>();
  /** A body was taken on its way: there will be no document. */
  readonly taken = this.whenTaken.promise;
  /**
   * Addresses that the page navigated to by itself and that the guard refused; its document stays. Only a refusal of the
   * requested address, or of its redirects, ends the fetch.
   */
  readonly refusedNavigations: string[] = [];
  private readonly whenRefused = Promise.withResolvers<void>();
  /** The first of them: a document whose frame was to leave it may never be complete. */
  readonly refused = this.whenRefused.promise;
  /** The last address the main frame requested, with a response or not. */
  lastUrl = '';
  private hops = 0;
  refusedThirdParties = 0;

  constructor(private readonly options: PageRequestGateOptions) {}

  /** Begins to decide; call what it returns to stop. */
  follow(): () => void {
    const { cdp } = this.options;
    const onPaused = (paused: Paused): void => void this.decide(paused);
    // There is no user to log in: the page that says so is shown.
    const onLogin = ({ requestId }: { readonly requestId: string }): void => {
      const authChallengeResponse = { response: 'CancelAuth' } as const;
      cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(goneAway);
    };
    cdp.on('Fetch.requestPaused', onPaused);
    cdp.on('Fetch.authRequired', onLogin);
    return () => {
      cdp.off('Fetch.requestPaused', onPaused);
      cdp.off('Fetch.authRequired', onLogin);
    };
  }

  async enable(): Promise<void> {
    const { cdp, refusesHeavy, refusesThirdParties, bypassesCache, headers, url, log } =
      this.options;
    const patterns = [
      { resourceType: 'Document' as const, requestStage: 'Request' as const },
      { resourceType: 'Document' as const, requestStage: 'Response' as const },
      ...(refusesHeavy ? HEAVY.map((resourceType) => ({ resourceType })) : []),
      ...(refusesThirdParties ? THIRD_PARTY_PATTERNS : []),
      ...(bypassesCache ? DATA.map((resourceType) => ({ resourceType })) : []),
      ...(Object.keys(headers).length > 0 ? [{ urlPattern: `${url.origin}/*` }] : []),
      ...(log === null ? [] : [{ urlPattern: '*' }]),
    ];
    await cdp.send('Fetch.enable', { patterns, handleAuthRequests: true });
  }

  /** The response for the document of that loader; without one, the last response. */
  responseOf(loaderId?: string): MainResponse | null {
    return (loaderId === undefined ? undefined : this.responses.get(loaderId)) ?? this.last;
  }

  private async decide(paused: Paused): Promise<void> {
    try {
      const isResponse =
        paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
      await (isResponse ? this.onResponse(paused) : this.onRequest(paused));
    } catch (error) {
      // The page went away while its request was paused: there is nothing left to decide.
      if (error instanceof RenderError) this.options.lifeline.end(error);
    }
  }

  private async onRequest(paused: Paused): Promise<void> {
    const { request, resourceType } = paused;
    const { refusesHeavy, log } = this.options;
    if (log?.admit(request.url) === false) {
      // A main frame is left where it is; elsewhere an error says why nothing comes.
      return this.refuse(paused, this.isMain(paused) ? 'Aborted' : 'BlockedByClient');
    }
    if (refusesHeavy && HEAVY.some((heavy) => heavy === resourceType)) {
      return this.refuse(paused, 'BlockedByClient');
    }
    if (this.isMain(paused)) {
      if (!(await this.isMainAllowed(paused))) return this.refuse(paused, 'Aborted');
    } else if (this.isOfThirdParty(paused)) {
      this.refusedThirdParties++;
      return this.refuse(paused, 'BlockedByClient');
    }
    const signature = this.isMain(paused) ? await this.signatureFor(paused) : {};
    await this.options.cdp.send('Fetch.continueRequest', {
      requestId: paused.requestId,
      ...this.headersFor(paused, signature),
    });
  }

  private async signatureFor({ request }: Paused): Promise<Readonly<Record<string, string>>> {
    const { signDocument } = this.options;
    if (signDocument === undefined || !/^https?:/i.test(request.url)) return {};
    return signDocument(new URL(request.url));
  }

  private isOfThirdParty({ request }: Paused): boolean {
    const { refusesThirdParties } = this.options;
    return refusesThirdParties && isNeedless(request.url, this.pageUrl);
  }

  private get pageUrl(): string {
    return this.last?.url ?? this.options.url.href;
  }

  private isMain({ frameId, resourceType }: Paused): boolean {
    return resourceType === 'Document' && frameId === this.frameId;
  }

  /** Any new address of the main frame is checked against its own robots.txt. */
  private async isMainAllowed({ request, redirectedRequestId }: Paused): Promise<boolean> {
    this.lastUrl = request.url;
    const isHop = redirectedRequestId !== undefined && redirectedRequestId !== '';
    this.documents += isHop ? 0 : 1;
    this.hops = isHop ? this.hops + 1 : 0;
    if (this.hops > MAX_REDIRECTS) throw new RenderError('http_error', 'too many redirects');
    if (this.documents > MAX_DOCUMENTS) return false;
    if (this.documents === 1 && !isHop) return true;
    try {
      await this.options.onRedirect?.(new URL(request.url));
      return true;
    } catch (error) {
      if (error instanceof BlockedUrlError && this.isLedByPage()) {
        this.noteRefused(request.url);
        return false;
      }
      this.options.lifeline.end(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** The first document, redirects included, is that of the caller. */
  private isLedByPage(): boolean {
    return this.documents > 1;
  }

  private noteRefused(url: string): void {
    this.refusedNavigations.push(url);
    this.whenRefused.resolve();
  }

  private headersFor(
    { request, resourceType }: Paused,
    signature: Readonly<Record<string, string>>,
  ): { headers?: { name: string; value: string }[] } {
    const { headers, url, bypassesCache } = this.options;
    const { origin } = new URL(request.url);
    const isAnew =
      bypassesCache && (resourceType === 'Document' || origin === new URL(this.pageUrl).origin);
    const added = {
      ...(isAnew && NO_CACHE),
      ...(origin === url.origin && headers),
      // The last word: no caller's header takes its place.
      ...signature,
    };
    if (Object.keys(added).length === 0) return {};
    const kept = Object.entries(request.headers).filter(([name]) => !(name.toLowerCase() in added));
    return {
      headers: [...kept, ...Object.entries(added)].map(([name, value]) => ({ name, value })),
    };
  }

  private async onResponse(paused: Paused): Promise<void> {
    const { cdp, takesRaw, maxBytes } = this.options;
    if (this.isMain(paused) && this.isLedByPage() && this.options.isRefused(paused.request.url)) {
      this.noteRefused(paused.request.url);
      return this.refuse(paused, 'Aborted');
    }
    const response = this.isMain(paused) ? this.record(paused) : null;
    if (response) this.raw = null;
    const type = response?.headers['content-type'];
    if (!response || !type || isMarkup(type) || response.statusCode === 204) {
      return this.proceed(paused);
    }
    if (!isReadable(type)) {
      await this.refuse(paused, 'Aborted');
      const { statusCode } = response;
      const problem = `the address is a download (${type.slice(0, 100)})`;
      throw new RenderError('parse_error', problem, { statusCode });
    }
    if (!takesRaw) {
      this.raw = await copyBody(cdp, paused.requestId, maxBytes);
      return this.proceed(paused);
    }
    this.raw = await takeBody(cdp, paused.requestId, maxBytes);
    await this.refuse(paused, 'Aborted');
    this.whenTaken.resolve();
  }

  private record(paused: Paused): MainResponse | null {
    const statusCode = paused.responseStatusCode;
    if (statusCode === undefined) return null;
    const list = paused.responseHeaders ?? [];
    const headers = joined(list);
    const url = paused.request.url;
    if (statusCode >= 300 && statusCode < 400 && headers['location'] !== undefined) {
      this.redirects.push({ url, statusCode });
      return null;
    }
    const robotsTags = robotsTagsOf(list);
    const response = { url, statusCode, headers, robotsTags, atMs: performance.now() };
    this.responses.set(paused.networkId ?? '', response);
    this.last = response;
    return response;
  }

  private async proceed({ requestId }: Paused): Promise<void> {
    await this.options.cdp.send('Fetch.continueRequest', { requestId });
  }

  private async refuse(
    { requestId }: Paused,
    errorReason: 'BlockedByClient' | 'Aborted',
  ): Promise<void> {
    await this.options.cdp.send('Fetch.failRequest', { requestId, errorReason });
  }
}

/** The page went away while it waited for a decision. */
function goneAway(): void {}

type HeaderList = readonly { readonly name: string; readonly value: string }[];

function robotsTagsOf(list: HeaderList): readonly string[] | undefined {
  const tags = list.filter(({ name }) => name.toLowerCase() === 'x-robots-tag');
  return tags.length > 1 ? tags.map(({ value }) => value) : undefined;
}

function joined(list: HeaderList): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { name, value } of list) {
    const lower = name.toLowerCase();
    headers[lower] = headers[lower] === undefined ? value : `${headers[lower]}, ${value}`;
  }
  return headers;
}

/** One more than a technology scan reads of an address (specification: tech_meta, `value_cap`). */
const MAX_URL_CHARS = 2_001;

/** The addresses a watched page requests, and the end of its allowance. */
export class PageRequestLog {
  /** In the order of the requests. */
  readonly urls: string[] = [];
  /** The page made more requests than it may. */
  isCapped = false;

  constructor(private readonly maxRequests: number) {}

  /** False: the page has used its allowance, and this one is not to be loaded. */
  admit(url: string): boolean {
    if (this.urls.length >= this.maxRequests) {
      this.isCapped = true;
      return false;
    }
    this.urls.push(url.slice(0, MAX_URL_CHARS));
    return true;
  }
}
