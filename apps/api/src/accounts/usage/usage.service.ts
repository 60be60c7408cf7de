import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { readUsage, utcDay, type Tenant } from '@app/accounts';
import { readStoredBytes } from '@app/jobs';
import { InjectRuntime } from '../../runtime.token.js';
import { presentUsage } from './present-usage.js';
import type { UsageRecord } from './usage.dto.js';

@Injectable()
export class UsageService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'log'>) {}

  /** @throws ApiError if the tenant was deleted after its key was checked */
  async read({ id }: Tenant): Promise<UsageRecord> {
    const { database, log } = this.runtime;
    const onError = (err: unknown): void =>
      log.warn({ err, tenantId: id }, 'the credit ledger could not be read');
    const usage = await readUsage(database, id, { onError }).catch((cause: unknown) => {
      throw new ApiError('internal', {}, { cause });
    });
    if (!usage) throw new ApiError('tenant_not_found');
    const stored = await readStoredBytes(database, id, utcDay()).catch((err: unknown) => {
      log.warn({ err, tenantId: id }, 'what a tenant stores could not be read');
      return { bytes: 0 };
    });
    return presentUsage(usage, stored.bytes);
  }
}
