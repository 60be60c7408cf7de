import pg from 'pg';

/** Sent when pages are due: wakes the dispatchers. */
export const WORK_CHANNEL = 'trawl_work';
/** Sent when a job's last page ended: wakes the finishers. */
export const FINISH_CHANNEL = 'trawl_finish';
/** Sent when a webhook is due: wakes the deliverers. */
export const WEBHOOK_CHANNEL = 'trawl_webhook';
/** Sent when a payment event was received: wakes those who apply them. */
export const PAYMENT_CHANNEL = 'trawl_payment';
export type Channel =
  typeof WORK_CHANNEL | typeof FINISH_CHANNEL | typeof WEBHOOK_CHANNEL | typeof PAYMENT_CHANNEL;

/**
 * Listens on a separate connection and reconnects by itself. A notification is a hint: every listener also
 * polls, so one lost during a reconnect costs a poll interval, never work.
 */
export class Notifications {
  private client: pg.Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly handlers: Readonly<Partial<Record<Channel, () => void>>>,
    private readonly retryDelayMs = 1_000,
  ) {}

  start(): void {
    void this.open();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      keepAlive: true,
      application_name: 'trawl-listen',
      connectionTimeoutMillis: 5_000,
    });
    this.client = client;
    client.on('notification', ({ channel }) => this.handlers[channel as Channel]?.());
    client.on('error', () => this.reopen(client));
    client.once('end', () => this.reopen(client));
    try {
      await client.connect();
      for (const channel of Object.keys(this.handlers)) await client.query(`LISTEN ${channel}`);
      // Notifications may have been lost while this connection was down.
      for (const handler of Object.values(this.handlers)) handler?.();
    } catch {
      // The 'error' or 'end' event of this client may not fire when connecting fails.
      this.reopen(client);
    }
  }

  private reopen(client: pg.Client): void {
    if (this.closed || this.client !== client) return;
    this.client = undefined;
    void client.end().catch(() => undefined);
    this.retry = setTimeout(() => void this.open(), this.retryDelayMs);
  }
}
