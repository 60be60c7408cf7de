import { promises as dns } from 'node:dns';
import { errorCode, ResolveError } from './egress-errors.js';

/** Turns a host name into every address it answers with (A and AAAA, CNAMEs followed). */
export interface Resolver {
  /**
   * @param host a name without trailing dot, never a literal.
   * @returns at least one address.
   * @throws ResolveError when there is none, the server fails, or time runs out.
   */
  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]>;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Asks the operating system (getaddrinfo): sees the hosts file and search domains. */
export class SystemResolver implements Resolver {
  private readonly pending = new Map<string, Promise<readonly string[]>>();

  /** @param timeoutMs bound of one lookup; getaddrinfo itself may take half a minute. */
  constructor(private readonly timeoutMs = DEFAULT_TIMEOUT_MS) {}

  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]> {
    return bounded(this.lookup(host), this.timeoutMs, signal);
  }

  /** Concurrent callers share one lookup, because the threads behind getaddrinfo are few. */
  private lookup(host: string): Promise<readonly string[]> {
    const running = this.pending.get(host);
    if (running !== undefined) return running;
    const lookup = dns
      .lookup(host, { all: true, verbatim: true })
      .then((answers) => answers.map(({ address }) => address))
      .finally(() => this.pending.delete(host));
    this.pending.set(host, lookup);
    return lookup;
  }
}

/**
 * Asks the configured name servers directly, without the thread pool, so a name server
 * that never answers delays nobody else. Sees neither the hosts file nor search domains.
 */
export class DnsResolver implements Resolver {
  private readonly resolver: dns.Resolver;
  private readonly pending = new Map<string, Promise<readonly string[]>>();

  /** @param servers `ip` or `ip:port`; the system's servers when absent. */
  constructor(
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
    servers?: readonly string[],
  ) {
    this.resolver = new dns.Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
    if (servers !== undefined) this.resolver.setServers(servers);
  }

  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]> {
    return bounded(this.query(host), this.timeoutMs, signal);
  }

  private query(host: string): Promise<readonly string[]> {
    const running = this.pending.get(host);
    if (running !== undefined) return running;
    const query = this.queryBothFamilies(host).finally(() => this.pending.delete(host));
    this.pending.set(host, query);
    return query;
  }

  private async queryBothFamilies(host: string): Promise<readonly string[]> {
    const answers = await Promise.allSettled([
      this.resolver.resolve4(host),
      this.resolver.resolve6(host),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    throw (
      answers.find((answer) => answer.status === 'rejected')?.reason ??
      new ResolveError('ENOTFOUND')
    );
  }
}

/** Gives up waiting at the timeout or the signal; the lookup itself cannot be recalled. */
function bounded(
  lookup: Promise<readonly string[]>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const settle = (run: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      run();
    };
    const fail = (code: string, cause?: unknown) =>
      settle(() => reject(new ResolveError(code, { cause })));
    const onAbort = () => fail('ABORTED', signal?.reason);
    const timer = setTimeout(() => fail('ETIMEOUT'), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    lookup.then(
      (addresses) => settle(() => resolve(addresses)),
      (error: unknown) => fail(errorCode(error, 'EAI_FAIL'), error),
    );
  });
}
