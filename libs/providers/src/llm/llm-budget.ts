import type { LlmUsage } from '@app/contracts';

/** Micro-dollars per million tokens: one token costs this many millionths of a micro-dollar. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const UNITS_PER_MICRO_USD = 1_000_000;

/**
 * Budget and cost of the model calls of one request. The worst case of a call is reserved before it is sent, and
 * the rest released when its real cost is known, so the calls together never exceed the limit, even in parallel.
 * Counts in millionths of a micro-dollar, which are integers at every price, and rounds up once, at the end.
 */
export class LlmBudget {
  private readonly limitUnits: number;
  private spentUnits = 0;
  private reservedUnits = 0;
  private calls = 0;
  private inputTokens = 0;
  private outputTokens = 0;
  private hasEstimates = false;
  private readonly waiting = new Set<() => void>();

  constructor(readonly limitMicroUsd: number) {
    this.limitUnits = Math.max(0, Math.floor(limitMicroUsd)) * UNITS_PER_MICRO_USD;
  }

  /** The tokens of some call were estimated, since the server did not count them. */
  get isEstimated(): boolean {
    return this.hasEstimates;
  }

  /**
   * Reserves the worst case of one call. Waits while running calls may still release the needed amount; if none
   * is running, the answer is limited to the remaining budget, down to `minOutputTokens`. Null: even that does
   * not fit, or the signal ended.
   */
  async reserve(
    worst: TokenCount,
    { price, minOutputTokens = worst.outputTokens, signal }: ReserveTerms,
  ): Promise<Reservation | null> {
    const least = { ...worst, outputTokens: Math.min(minOutputTokens, worst.outputTokens) };
    for (;;) {
      const leftUnits = this.limitUnits - this.spentUnits;
      if (signal.aborted || costUnits(least, price) > leftUnits) return null;
      if (this.reservedUnits === 0 || costUnits(worst, price) <= leftUnits - this.reservedUnits) {
        return this.open(fitting(worst, price, leftUnits - this.reservedUnits), price);
      }
      await this.nextSettlement(signal);
    }
  }

  private open(worst: TokenCount, price: TokenPrice): Reservation {
    const units = costUnits(worst, price);
    this.reservedUnits += units;
    return new Reservation((used, isEstimated) => {
      this.reservedUnits -= units;
      if (used !== null) this.note(used, price, isEstimated);
      for (const wake of this.waiting) wake();
    }, worst);
  }

  usage(model: string, latencyMs: number): LlmUsage {
    return {
      model,
      calls: this.calls,
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      costMicroUsd: Math.ceil(this.spentUnits / UNITS_PER_MICRO_USD),
      latencyMs: Math.round(latencyMs),
    };
  }

  private note(used: TokenCount, price: TokenPrice, isEstimated: boolean): void {
    this.calls++;
    this.inputTokens += used.inputTokens;
    this.outputTokens += used.outputTokens;
    this.spentUnits += costUnits(used, price);
    this.hasEstimates ||= isEstimated;
  }

  private nextSettlement(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

interface ReserveTerms {
  readonly price: TokenPrice;
  /** A shorter answer is useless. @default that of the worst case */
  readonly minOutputTokens?: number;
  readonly signal: AbortSignal;
}

type Settle = (used: TokenCount | null, isEstimated: boolean) => void;

/** Reserved budget of one call; call one of its two methods, once. */
export class Reservation {
  private isOpen = true;

  constructor(
    private readonly onSettle: Settle,
    /** The reserved tokens. */
    readonly worst: TokenCount,
  ) {}

  /** The cost of the call. A count above the possible maximum is implausible: the maximum is taken. */
  settle({ inputTokens, outputTokens }: TokenCount, isEstimated: boolean): void {
    const used = {
      inputTokens: Math.min(inputTokens, this.worst.inputTokens),
      outputTokens: Math.min(outputTokens, this.worst.outputTokens),
    };
    const isCut = used.inputTokens !== inputTokens || used.outputTokens !== outputTokens;
    this.close(used, isEstimated || isCut);
  }

  /** No model worked on the call. */
  release(): void {
    this.close(null, false);
  }

  private close(used: TokenCount | null, isEstimated: boolean): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onSettle(used, isEstimated);
  }
}

/** The call with the longest answer that the budget allows. */
function fitting(worst: TokenCount, price: TokenPrice, leftUnits: number): TokenCount {
  if (costUnits(worst, price) <= leftUnits) return worst;
  const answerUnits = leftUnits - worst.inputTokens * price.input;
  return { ...worst, outputTokens: Math.floor(answerUnits / price.output) };
}

function costUnits({ inputTokens, outputTokens }: TokenCount, price: TokenPrice): number {
  return inputTokens * price.input + outputTokens * price.output;
}
