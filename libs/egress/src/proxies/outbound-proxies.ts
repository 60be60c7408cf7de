import type tls from 'node:tls';
import { createTlsContext } from '../tls-handshake.js';
import { OutboundProxy } from './outbound-proxy.js';
import type { OutboundProxySetting } from './parse-outbound-proxies.js';
import { ProxyFailure } from './proxy-failure.js';

export interface OutboundProxiesOptions {
  /**
   * The proxies receive names instead of vetted addresses: for networks where only the proxy can
   * resolve. The guard's rules on names, ports and literal addresses hold; a DNS answer that
   * this machine gets is checked too, but not the one that the proxy gets.
   * @default false
   */
  readonly resolvesNames?: boolean;
  /** Extra authorities in PEM for https proxies. */
  readonly ca?: readonly string[];
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** The proxies one request may use, in order of preference. */
export interface ProxyRoute {
  /** Connections of different keys are never shared. */
  readonly key: string;
  /** Never empty. */
  readonly proxies: readonly OutboundProxy[];
  readonly resolvesNames: boolean;
}

export interface ProxyTestResult {
  /** Names the proxy without its credentials. */
  readonly label: string;
  readonly ok: boolean;
  /** For people; null when it responds. */
  readonly problem: string | null;
}

/** Proxies tried within one request. */
const MAX_TRIES = 3;
/** Never exists (RFC 6761 6.4): a proxy responds at once, and nothing leaves it. */
const NOWHERE = { host: 'proxy-test.invalid', port: 443 };

/**
 * The operator's outbound proxies by country. A request of a country goes through the proxies of
 * that country; where it has none, and for requests without a country, through those without one;
 * where there are none either, directly. A proxy that is due is never bypassed: when it fails and
 * no other of its group serves, the request fails.
 */
export class OutboundProxies {
  private readonly groups: ReadonlyMap<string | null, readonly OutboundProxy[]>;
  private readonly all: readonly OutboundProxy[];
  private readonly resolvesNames: boolean;
  private turn = 0;

  constructor(
    settings: readonly OutboundProxySetting[],
    { resolvesNames = false, ca, now = Date.now }: OutboundProxiesOptions = {},
  ) {
    let context: tls.SecureContext | null = null;
    const secureContext = () => (context ??= createTlsContext(ca));
    const labels = labelsOf(settings);
    this.all = settings.map(
      (setting, index) =>
        new OutboundProxy(setting, { label: labels[index] ?? '', secureContext, now }),
    );
    this.groups = Map.groupBy(this.all, ({ country }) => country);
    this.resolvesNames = resolvesNames;
  }

  /** The route of one request: healthy proxies by turns, else the one that failed longest ago. */
  route(country: string | null): ProxyRoute | null {
    const group = this.groups.get(country?.toUpperCase() ?? null) ?? this.groups.get(null);
    if (group === undefined) return null;
    const proxies = this.choose(group);
    return { key: proxies[0]?.label ?? '', proxies, resolvesNames: this.resolvesNames };
  }

  /** Whether each proxy takes a request and our credentials; for start and diagnosis. */
  selfTest(signal: AbortSignal): Promise<readonly ProxyTestResult[]> {
    return Promise.all(
      this.all.map(async (proxy) => {
        const problem = await problemOf(proxy, signal);
        return { label: proxy.label, ok: problem === null, problem };
      }),
    );
  }

  private choose(group: readonly OutboundProxy[]): readonly OutboundProxy[] {
    const healthy = group.filter((proxy) => !proxy.isResting);
    if (healthy.length === 0)
      return group.toSorted((a, b) => a.failedAtMs - b.failedAtMs).slice(0, 1);
    const start = this.turn++ % healthy.length;
    return [...healthy.slice(start), ...healthy.slice(0, start)].slice(0, MAX_TRIES);
  }
}

/** `DE=http://host:port`, numbered where several accounts share one address. */
function labelsOf(settings: readonly OutboundProxySetting[]): readonly string[] {
  const seen = new Map<string, number>();
  return settings.map(({ country, scheme, host, port }) => {
    const shown = host.includes(':') ? `[${host}]` : host;
    const label = `${country === null ? '' : `${country}=`}${scheme}://${shown}:${port}`;
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label}#${count}`;
  });
}

async function problemOf(proxy: OutboundProxy, signal: AbortSignal): Promise<string | null> {
  try {
    (await proxy.open(NOWHERE, signal)).destroy();
    return null;
  } catch (error) {
    if (!(error instanceof ProxyFailure)) return 'no answer in time';
    switch (error.kind) {
      case 'unreachable':
        return `no connection: ${error.code}`;
      case 'credentials':
        return 'the credentials were refused (HTTP 407)';
      case 'gateway':
      case 'refused':
        // It cannot reach a host that does not exist, which is as it should be.
        return null;
    }
  }
}
