import { nonPublicReason } from './address-table.js';
import {
  type AllowPrivateRule,
  isAllowedPrivate,
  isDialable,
  isPortOpened,
} from './allow-private.js';
import {
  BlockedUrlError,
  type DeniedStage,
  InvalidUrlError,
  ResolveError,
} from './egress-errors.js';
import { classifyName, stripRootDot } from './host-name.js';
import { canonicalAddress, parseAddress } from './ip-address.js';
import { type Resolver, SystemResolver } from './resolver.js';
import { bareHost, isBadPort, isCanonicalIpv4Text, MAX_URL_LENGTH, portOf } from './url-text.js';

/** A target that may be dialled: exactly these addresses, nothing else. */
export interface VettedTarget {
  /** Canonical texts, in the resolver's order, IPv4-mapped ones as IPv4. Never empty. */
  readonly addresses: readonly string[];
  readonly port: number;
}

export interface EgressGuardOptions {
  /** @default SystemResolver */
  readonly resolver?: Resolver;
  /** @default none */
  readonly allowPrivate?: readonly AllowPrivateRule[];
  /** Called once per refusal, for a counter. */
  readonly onDenied?: (stage: DeniedStage) => void;
}

/**
 * Decides what may be reached. Every byte that leaves passes {@link parse} for each URL met
 * (first, redirect, subresource) and {@link vet} for each connection opened.
 */
export class EgressGuard {
  private readonly resolver: Resolver;
  private readonly allowPrivate: readonly AllowPrivateRule[];
  private readonly onDenied: (stage: DeniedStage) => void;
  private endpoint: URL | null = null;

  constructor({ resolver, allowPrivate, onDenied }: EgressGuardOptions = {}) {
    this.resolver = resolver ?? new SystemResolver();
    this.allowPrivate = allowPrivate ?? [];
    this.onDenied = onDenied ?? (() => undefined);
  }

  /**
   * A guard for one service that the operator configured, e.g. a hosted crawler's API: admits the
   * scheme, host and port of this URL, whatever address the host has, and nothing else; a redirect
   * elsewhere is refused. Never for an address that came in a request.
   * @throws InvalidUrlError when it is no http or https URL, or holds credentials
   */
  static forEndpoint(
    endpoint: string | URL,
    options: Omit<EgressGuardOptions, 'allowPrivate'> = {},
  ): EgressGuard {
    const text = String(endpoint);
    const url = URL.canParse(text) ? new URL(text) : null;
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (url === null || !isHttp || url.username !== '' || url.password !== '') {
      throw new InvalidUrlError(`${url?.protocol ?? ''}//${url?.host ?? ''}`);
    }
    const guard = new EgressGuard(options);
    guard.endpoint = url;
    return guard;
  }

  /**
   * Parses once by the WHATWG rules and applies every rule that needs no look-up. Go on with the
   * returned URL only: the text may mean something else to another parser.
   * @throws InvalidUrlError | BlockedUrlError
   */
  parse(text: string, base?: URL, stage: DeniedStage = 'parse'): URL {
    if (text.length > MAX_URL_LENGTH || !URL.canParse(text, base?.href))
      throw new InvalidUrlError(text);
    const url = new URL(text, base?.href);
    const isRefused =
      !this.isAdmissible(url) || (isIpv4Host(url) && !isCanonicalIpv4Text(text, url, base));
    if (isRefused) throw this.deny(stage, text);
    return url;
  }

  /**
   * Resolves the host once; all its addresses must be public or opened by a rule. Checks the URL's
   * own rules again, so a URL that never passed {@link parse} gains nothing.
   * @throws BlockedUrlError | ResolveError
   */
  async vet(url: URL, signal?: AbortSignal): Promise<VettedTarget> {
    if (!this.isAdmissible(url)) throw this.deny('connect', url.href);
    const port = portOf(url);
    const host = bareHost(url);
    if (parseAddress(host) !== null) return { addresses: [canonicalOrThrow(host)], port };
    const answers = await heard(this.resolver.resolve(stripRootDot(host), signal), signal);
    if (answers.length === 0) throw new ResolveError('ENOTFOUND');
    const isPrivateName = classifyName(host) === 'private';
    const isFine = (ip: string) =>
      this.endpoint !== null ||
      (isPrivateName
        ? isAllowedPrivate(this.allowPrivate, ip, port)
        : isDialable(this.allowPrivate, ip, port));
    if (!answers.every(isFine)) throw this.deny('dns', url.href);
    return { addresses: [...new Set(answers.map(canonicalOrThrow))], port };
  }

  /**
   * For a host that another machine resolves (see `OutboundProxiesOptions.resolvesNames`): the rules
   * of {@link parse}, and every address that can be found here must be one that {@link vet} admits.
   * Passes a name only when it is public by its spelling and nothing here knows it.
   * @throws BlockedUrlError | the signal's reason
   */
  async vetForRemoteResolution(url: URL, signal: AbortSignal): Promise<void> {
    const patience = AbortSignal.timeout(LOCAL_LOOKUP_MS);
    try {
      await this.vet(url, AbortSignal.any([signal, patience]));
    } catch (error) {
      if (error instanceof BlockedUrlError || signal.aborted) throw error;
      const isUnknownHere = error instanceof ResolveError || patience.aborted;
      if (!isUnknownHere) throw error;
      if (classifyName(bareHost(url)) !== 'public') throw this.deny('dns', url.href);
    }
  }

  /** The second lock: an established socket must end at an address that was vetted. */
  confirm(url: URL, target: VettedTarget, remoteAddress: string | undefined): void {
    const dialled = canonicalAddress(remoteAddress ?? '');
    if (dialled === null || !target.addresses.includes(dialled))
      throw this.deny('connect', url.href);
  }

  private isAdmissible(url: URL): boolean {
    if (this.endpoint !== null) {
      const hasCredentials = url.username !== '' || url.password !== '';
      return url.origin === this.endpoint.origin && !hasCredentials;
    }
    const port = portOf(url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    if (url.username !== '' || url.password !== '' || isBadPort(port)) return false;
    const host = bareHost(url);
    const bytes = parseAddress(host);
    if (bytes !== null) {
      return nonPublicReason(bytes) === null || isAllowedPrivate(this.allowPrivate, host, port);
    }
    switch (classifyName(host)) {
      case 'public':
        return true;
      case 'private':
        return isPortOpened(this.allowPrivate, port);
      case 'never':
        return false;
    }
  }

  private deny(stage: DeniedStage, text: string): BlockedUrlError {
    this.onDenied(stage);
    return new BlockedUrlError(stage, text);
  }
}

/** A network that resolves nothing must not cost each connection a resolver's whole patience. */
const LOCAL_LOOKUP_MS = 1_000;

function isIpv4Host(url: URL): boolean {
  return parseAddress(url.hostname)?.length === 4;
}

function canonicalOrThrow(ip: string): string {
  const canonical = canonicalAddress(ip);
  if (canonical === null) throw new ResolveError('EBADRESP');
  return canonical;
}

/** Ends with the signal, also for a resolver that does not listen to it. */
function heard<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
