import { Injectable } from '@nestjs/common';
import type { LlmUsage } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { charge, type ChargedOperation } from '@app/store';
import { InjectRuntime } from '../runtime.token.js';

export interface Booking {
  readonly tenantId: string;
  readonly operation: ChargedOperation;
  /** Of what is charged: the same one is booked once, however often it is tried. */
  readonly reference: string;
  /**
   * Of this try. What models cost when nothing is charged is booked under it: each try costs, and
   * none may stand in the way of the charge. @default reference
   */
  readonly requestId?: string;
  readonly credits: number;
  readonly costMicroUsd: number;
}

/** Books what a call costs: credits, and what models cost us. */
@Injectable()
export class Bookings {
  constructor(@InjectRuntime() private readonly runtime: Runtime) {}

  /** Nothing to book, nothing written. */
  async book({ requestId, ...booking }: Booking): Promise<void> {
    const { credits, costMicroUsd, operation } = booking;
    if (credits === 0 && costMicroUsd === 0) return;
    const reference = credits === 0 ? (requestId ?? booking.reference) : booking.reference;
    const isNew = await charge(this.runtime.store, { ...booking, reference });
    if (isNew && credits > 0) this.runtime.metrics.creditsCharged.inc({ operation }, credits);
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
