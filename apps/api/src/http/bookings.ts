import { Injectable } from '@nestjs/common';
import type { LlmUsage } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { charge, type ChargedOperation } from '@app/store';
import { InjectRuntime } from '../runtime.token.js';

export interface Booking {
  readonly tenantId: string;
  readonly operation: ChargedOperation;
  /** Request id: the same one is booked once. */
  readonly reference: string;
  readonly credits: number;
  readonly costMicroUsd: number;
}

/** Books what a call costs: credits, and what models cost us. */
@Injectable()
export class Bookings {
  constructor(@InjectRuntime() private readonly runtime: Runtime) {}

  /** Nothing to book, nothing written. */
  async book(booking: Booking): Promise<void> {
    const { credits, costMicroUsd, operation } = booking;
    if (credits === 0 && costMicroUsd === 0) return;
    await charge(this.runtime.store, booking);
    if (credits > 0) this.runtime.metrics.creditsCharged.inc({ operation }, credits);
  }

  /** What a model used for a request that is charged nothing. */
  async bookLost(
    { tenantId, requestId }: { readonly tenantId: string; readonly requestId: string },
    operation: ChargedOperation,
    usage: LlmUsage | undefined,
  ): Promise<void> {
    const costMicroUsd = usage?.costMicroUsd ?? 0;
    await this.book({ tenantId, operation, reference: requestId, credits: 0, costMicroUsd });
  }
}
