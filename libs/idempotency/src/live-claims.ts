import { extendClaims, type KeyClaim } from './idempotency.js';
import { type Database } from '@app/database';
import type { Logger } from '@app/telemetry';

/** An owner that died is taken for dead after this time. */
export const CLAIM_LEASE_MS = 30_000;
const HEARTBEAT_MS = CLAIM_LEASE_MS / 3;

/** Claims this process works on; their leases are kept up together. */
export class LiveClaims {
  private readonly live = new Set<KeyClaim>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  add(claim: KeyClaim): void {
    this.live.add(claim);
    this.timer ??= setInterval(() => this.beat(), HEARTBEAT_MS);
    this.timer.unref();
  }

  remove(claim: KeyClaim): void {
    this.live.delete(claim);
    if (this.live.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private beat(): void {
    extendClaims(this.database, [...this.live], CLAIM_LEASE_MS).catch((err: unknown) =>
      this.log.warn({ err, claims: this.live.size }, 'idempotency keys could not be extended'),
    );
  }
}
