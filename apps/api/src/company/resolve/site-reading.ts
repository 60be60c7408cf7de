import { Injectable } from '@nestjs/common';
import { newId } from '@app/contracts';
import type { EnrichReply, EnrichTask } from '@app/company';
import type { Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { FetcherCall } from '../../fetchers/fetcher-call.js';
import { InjectRuntime } from '../../runtime.token.js';
import { requestInTurn } from '../company-site.js';

/** Homepage, contact, about: a record needs no more. */
const PAGES = 4;

/** Reads the site of a company for its record: brand, technologies, contact data and place. */
@Injectable()
export class SiteReading {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly fetchers: FetcherCall,
  ) {}

  /** @param homepages URLs to try in turn */
  read(
    [url, second]: readonly [string, ...string[]],
    tenant: Pick<Tenant, 'id' | 'plan'>,
    signal: AbortSignal,
  ): Promise<EnrichReply> {
    const task: EnrichTask = {
      requestId: newId(),
      tenantId: tenant.id,
      plan: tenant.plan,
      url,
      pages: 'chosen',
      maxPages: PAGES,
      includeEmails: true,
      includeTech: true,
      includeTeam: false,
      includeBrand: true,
      deepTech: false,
      useModel: false,
      maxAgeMs: 0,
      deadlineAtMs: Date.now() + this.runtime.settings.scrapeTimeoutMs,
    };
    return requestInTurn(task, second, (one) => this.fetchers.request('enrich', one, signal));
  }
}
