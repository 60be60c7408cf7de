import { Injectable } from '@nestjs/common';
import { isId, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { findDeletion, requestDeletion, type DataDeletion } from '@app/jobs';
import { type Tenant } from '@app/accounts';
import { InjectRuntime } from '../../runtime.token.js';
import type { DeletionView } from './data.dto.js';

/** Deletes a tenant's stored data on request; the work runs in the background. */
@Injectable()
export class DataService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>) {}

  async erase(tenant: Tenant): Promise<DeletionView> {
    return presentDeletion(await requestDeletion(this.runtime.database, tenant.id));
  }

  /** Another tenant's deletion is reported like an unknown one. */
  async view(tenant: Tenant, id: string): Promise<DeletionView> {
    const deletion = isId(id) ? await findDeletion(this.runtime.database, tenant.id, id) : null;
    if (!deletion) throw new ApiError('deletion_not_found');
    return presentDeletion(deletion);
  }
}

function presentDeletion(deletion: DataDeletion): DeletionView {
  const { id, requestedAt, completedAt, jobs, pages, blobs } = deletion;
  return {
    deletionId: id,
    status: completedAt === null ? 'running' : 'completed',
    requested_at: requestedAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
    deleted: { jobs, pages, files: blobs },
  };
}
