import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { readUsage, type Tenant } from '@app/accounts';
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
    return presentUsage(usage);
  }
}
