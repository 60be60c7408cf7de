import { nonPublicReason } from './address-table.js';
import {
  type AllowPrivateRule,
  isAllowedPrivate,
  isNamedHost,
  isNeverAllowed,
} from './allow-private.js';
import { isInRanges } from './deny-ranges.js';
import {
  BlockedUrlError,
  type DeniedStage,
  InvalidUrlError,
  ResolveError,
} from './egress-errors.js';
import { classifyName, stripRootDot } from './host-name.js';
import { type AddressBytes, canonicalAddress, type Cidr, parseAddress } from './ip-address.js';
import { OwnAddresses } from './own-addresses.js';
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
  /** Ranges that are refused whatever `allowPrivate` opens. @default none */
  readonly deny?: readonly Cidr[];
  /** @default the addresses of this machine's interfaces, which count as private */
  readonly ownAddresses?: Pick<OwnAddresses, 'has'>;
  /** Called once per refused request, for a counter. */
  readonly onDenied?: (stage: DeniedStage) => void;
}

/**
 * Decides what may be reached. Every byte that leaves passes {@link parse} for each URL met
 * (first, redirect, subresource) and {@link vet} for each connection opened.
 */
export class EgressGuard {
  private readonly resolver: Resolver;
  private readonly allowPrivate: readonly AllowPrivateRule[];
  private readonly deniedRanges: readonly Cidr[];
  private readonly ownAddresses: Pick<OwnAddresses, 'has'>;
  private readonly onDenied: (stage: DeniedStage) => void;
  private endpoint: URL | null = null;

  constructor(options: EgressGuardOptions = {}) {
    this.resolver = options.resolver ?? new SystemResolver();
    this.allowPrivate = options.allowPrivate ?? [];
    this.deniedRanges = options.deny ?? [];
    this.ownAddresses = options.ownAddresses ?? new OwnAddresses();
    this.onDenied = options.onDenied ?? (() => undefined);
  }

  /**
   * A guard for one service that the operator configured, e.g. a hosted crawler's API: admits the
   * scheme, host and port of this URL, whatever address the host has (this machine's included), and
   * nothing else; a redirect elsewhere is refused. Never for an address that came in a request.
   * @throws InvalidUrlError when it is no http or https URL, or holds credentials
   */
  static forEndpoint(
    endpoint: string | URL,
    options: Pick<EgressGuardOptions, 'resolver' | 'onDenied'> = {},
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
   * Resolves the host once; all its addresses must be public, unless a rule names the host: a range
   * that is open to URLs with an address opens no name. Checks the URL's own rules again, so a URL that
   * never passed {@link parse} gains nothing.
   * @throws BlockedUrlError | ResolveError
   */
  async vet(url: URL, signal?: AbortSignal): Promise<VettedTarget> {
    if (!this.isAdmissible(url)) throw this.deny('connect', url.href);
    const port = portOf(url);
    const host = bareHost(url);
    if (parseAddress(host) !== null) return { addresses: [canonicalOrThrow(host)], port };
    const answers = await heard(this.resolver.resolve(stripRootDot(host), signal), signal);
    if (answers.length === 0) throw new ResolveError('ENOTFOUND');
    const isNamed = isNamedHost(this.allowPrivate, host, port);
    const isFine = (ip: string) => this.endpoint !== null || this.isDialable(ip, isNamed);
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

  /** A second check: an established socket must end at an address that was vetted. */
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
      if (isInRanges(this.deniedRanges, bytes)) return false;
      return this.isPublic(bytes) || isAllowedPrivate(this.allowPrivate, bytes, port);
    }
    switch (classifyName(host)) {
      case 'public':
        return true;
      case 'private':
        return isNamedHost(this.allowPrivate, host, port);
      case 'never':
        return false;
    }
  }

  /** One DNS answer for a name. */
  private isDialable(ip: string, isNamed: boolean): boolean {
    const bytes = parseAddress(ip);
    if (bytes === null || isInRanges(this.deniedRanges, bytes)) return false;
    return this.isPublic(bytes) || (isNamed && !isNeverAllowed(bytes));
  }

  private isPublic(bytes: AddressBytes): boolean {
    return nonPublicReason(bytes) === null && !this.ownAddresses.has(bytes);
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
