import { ApiError, type ApiErrorCode } from '@app/contracts';

export interface StreamBounds {
  readonly perTenant: number;
  readonly perProcess: number;
  /** Error for a tenant that uses all of its slots; its text may contain the `limit`. */
  readonly tooMany: ApiErrorCode;
  /** Error when the process has no free slot. */
  readonly unavailable: ApiErrorCode;
}

/** Counts the streams open in this process, so that no tenant takes more than its share. */
export class StreamSlots {
  private readonly perTenant = new Map<string, number>();
  private taken = 0;

  constructor(private readonly bounds: StreamBounds) {}

  /** Takes a slot until the returned function is called; further calls are ignored. @throws ApiError */
  take(tenantId: string): () => void {
    const { perTenant, perProcess, tooMany, unavailable } = this.bounds;
    const own = this.perTenant.get(tenantId) ?? 0;
    if (own >= perTenant) throw new ApiError(tooMany, { limit: perTenant });
    if (this.taken >= perProcess) throw new ApiError(unavailable);
    this.taken++;
    this.perTenant.set(tenantId, own + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.release(tenantId);
      isTaken = false;
    };
  }

  private release(tenantId: string): void {
    this.taken--;
    const left = (this.perTenant.get(tenantId) ?? 1) - 1;
    if (left > 0) this.perTenant.set(tenantId, left);
    else this.perTenant.delete(tenantId);
  }
}
