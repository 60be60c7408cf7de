import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { GraphWriter, observationOfEnrichment } from '@app/graph';
import type { Runtime } from '@app/runtime';
import { InjectRuntime } from '../../runtime.token.js';
import { SiteReading } from './site-reading.js';

/** Domains that wait, per process; more are left until they are requested again. */
const MAX_WAITING = 100;

interface Refresh {
  readonly domain: string;
  readonly tenantId: string;
}

/** Reads the sites of stale companies again, one at a time, for nobody who waits. */
@Injectable()
export class CompanyRefresh implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Refresh>();
  private readonly ending = new AbortController();
  private isRunning = false;

  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'log'>,
    private readonly sites: SiteReading,
    private readonly graph: GraphWriter,
  ) {}

  /** Returns false if too many wait; a domain that waits already is not added again. */
  add(refresh: Refresh): boolean {
    if (this.waiting.has(refresh.domain)) return true;
    if (this.waiting.size >= MAX_WAITING || this.ending.signal.aborted) return false;
    this.waiting.set(refresh.domain, refresh);
    if (!this.isRunning) void this.run();
    return true;
  }

  onApplicationShutdown(): void {
    this.waiting.clear();
    this.ending.abort();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (const refresh of this.waiting.values()) {
      await this.refresh(refresh).catch((err: unknown) =>
        this.runtime.log.debug({ err }, 'a company was not read again'),
      );
      this.waiting.delete(refresh.domain);
    }
    this.isRunning = false;
  }

  /** With the share of the free plan: it must not delay requests. */
  private async refresh({ domain, tenantId }: Refresh): Promise<void> {
    const homepages = [`https://${domain}/`, `http://${domain}/`] as const;
    const tenant = { id: tenantId, plan: 'free' } as const;
    const reply = await this.sites.read(homepages, tenant, this.ending.signal);
    if (reply.kind !== 'enriched') return;
    const observation = observationOfEnrichment(reply.enrichment, new Date(), 'resolve');
    await this.graph.remember(tenantId, observation);
  }
}
