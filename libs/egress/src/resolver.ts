import { promises as dns } from 'node:dns';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '@app/contracts';
import { ResolveError } from './egress-errors.js';
import { classifyName } from './host-name.js';

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

/** Concurrent callers of one name share its lookup. */
class SharedLookups {
  private readonly running = new Map<string, Promise<readonly string[]>>();

  run(host: string, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const running = this.running.get(host);
    if (running !== undefined) return running;
    const lookup = look().finally(() => this.running.delete(host));
    this.running.set(host, lookup);
    return lookup;
  }
}

/**
 * Asks the operating system (getaddrinfo): sees the hosts file and search domains. Node runs two
 * lookups at a time, and one with a silent name server holds its place for some ten seconds.
 */
export class SystemResolver implements Resolver {
  private readonly lookups = new SharedLookups();

  /** @param timeoutMs bound of one lookup; getaddrinfo itself may take half a minute. */
  constructor(private readonly timeoutMs = DEFAULT_TIMEOUT_MS) {}

  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]> {
    const lookup = this.lookups.run(host, async () => {
      const answers = await dns.lookup(host, { all: true, verbatim: true });
      return answers.map(({ address }) => address);
    });
    return bounded(lookup, this.timeoutMs, signal);
  }
}

/**
 * Queries per server and family: a warm c-ares waits a second for each, so fewer lose slow names.
 */
const TRIES = 4;
/** How long one family is waited for once the other has answered. */
const FAMILY_GRACE_MS = 1_000;
/** At most this often the system's list of name servers is read again. */
const RENEW_AFTER_MS = 5_000;
/** The name servers answered: the name has no such address. */
const ANSWERED_CODES: readonly string[] = ['ENOTFOUND', 'ENODATA'];
/** No name server was heard. */
const UNHEARD_CODES: readonly string[] = ['ETIMEOUT', 'ECONNREFUSED'];

/**
 * Asks the configured name servers directly, without the thread pool, so a name server
 * that never answers delays no other look-up. Sees neither the hosts file nor search domains.
 */
export class DnsResolver implements Resolver {
  private readonly lookups = new SharedLookups();
  private channel: dns.Resolver;
  private channelOpenedAtMs = 0;

  /** @param servers `ip` or `ip:port`; the system's servers when absent. */
  constructor(
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
    private readonly servers?: readonly string[],
  ) {
    this.channel = this.openChannel();
  }

  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]> {
    return bounded(
      this.lookups.run(host, () => this.query(host)),
      this.timeoutMs,
      signal,
    );
  }

  private async query(host: string): Promise<readonly string[]> {
    const four = this.channel.resolve4(host);
    const six = this.channel.resolve6(host);
    const answers = await Promise.allSettled([notLongAfter(four, six), notLongAfter(six, four)]);
    const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return addresses;
    const codes = answers.map((one) =>
      errorCode(one.status === 'rejected' ? one.reason : null, 'ENOTFOUND'),
    );
    if (codes.some((code) => UNHEARD_CODES.includes(code))) this.renewChannel();
    // A family that failed may have had the addresses that the other has not.
    throw new ResolveError(codes.find((code) => !ANSWERED_CODES.includes(code)) ?? 'ENOTFOUND');
  }

  /** c-ares reads the list of servers once, but a laptop changes networks. */
  private renewChannel(): void {
    if (performance.now() - this.channelOpenedAtMs > RENEW_AFTER_MS) {
      this.channel = this.openChannel();
    }
  }

  private openChannel(): dns.Resolver {
    const timeout = Math.ceil(this.timeoutMs / (TRIES + 1));
    const channel = new dns.Resolver({ timeout, tries: TRIES, maxTimeout: 2 * timeout });
    if (this.servers !== undefined) channel.setServers(this.servers);
    this.channelOpenedAtMs = performance.now();
    return channel;
  }
}

/**
 * Some name servers never answer for AAAA; that must not cost the addresses the other query found.
 */
function notLongAfter(own: Promise<string[]>, other: Promise<string[]>): Promise<string[]> {
  const giveUp = other.then(
    async () => {
      await delay(FAMILY_GRACE_MS, undefined, { ref: false });
      throw new ResolveError('ETIMEOUT');
    },
    () => own,
  );
  return Promise.race([own, giveUp]);
}

/**
 * For names from callers and pages: public names go to DNS alone, where a silent name
 * server delays no other look-up. Names of the local network, which the guard lets through only
 * where the operator opened a port, are resolved as the system knows them (hosts file, search
 * domains).
 */
export class TargetResolver implements Resolver {
  constructor(
    private readonly direct: Resolver = new DnsResolver(),
    private readonly system: Resolver = new SystemResolver(),
  ) {}

  resolve(host: string, signal?: AbortSignal): Promise<readonly string[]> {
    const resolver = classifyName(host) === 'public' ? this.direct : this.system;
    return resolver.resolve(host, signal);
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
