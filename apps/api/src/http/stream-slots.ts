import { ApiError, type ApiErrorCode } from '@app/contracts';

export interface StreamBounds {
  readonly perTenant: number;
  readonly perProcess: number;
  /** Refusal of a tenant that has its share; its text may name the `limit`. */
  readonly tooMany: ApiErrorCode;
  /** Refusal of anybody when the process has all it can hold. */
  readonly unavailable: ApiErrorCode;
}

/** Counts the streams that are open in this process, so that no tenant holds more than its share. */
export class StreamSlots {
  private readonly perTenant = new Map<string, number>();
  private taken = 0;

  constructor(private readonly bounds: StreamBounds) {}

  /** Takes a place until the returned function is called, which may be called again. @throws Refusal */
  take(tenantId: string): () => void {
    const { perTenant, perProcess, tooMany, unavailable } = this.bounds;
    const own = this.perTenant.get(tenantId) ?? 0;
    if (own >= perTenant) throw new ApiError(tooMany, { limit: perTenant });
    if (this.taken >= perProcess) throw new ApiError(unavailable);
    this.taken++;
    this.perTenant.set(tenantId, own + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.giveBack(tenantId);
      isTaken = false;
    };
  }

  private giveBack(tenantId: string): void {
    this.taken--;
    const left = (this.perTenant.get(tenantId) ?? 1) - 1;
    if (left > 0) this.perTenant.set(tenantId, left);
    else this.perTenant.delete(tenantId);
  }
}
