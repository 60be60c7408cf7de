import { abortableDelay, type ApiConnection, type CallOptions } from './api-connection.js';
import type { Schemas } from './schemas.js';
import { TrawlError } from './trawl-error.js';

/** A row of a connector: its fields are those of the connector's `schema`. */
export type PulledRow = Readonly<Record<string, unknown>>;

export interface RowsOptions {
  /** Rows to skip: as many as were received before. @default 0 */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

const FIRST_POLL_MS = 500;
const MAX_POLL_MS = 5_000;
const PAGE_ROWS = 1_000;
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** The rows of a connector that are pulled in the background. It goes on when the program ends. */
export class TrawlPull implements AsyncIterable<PulledRow> {
  private readonly path: string;

  constructor(
    private readonly connection: ApiConnection,
    readonly id: string,
  ) {
    this.path = `/v1/pull/${encodeURIComponent(id)}`;
  }

  /** Its state and counts. */
  status(options: CallOptions = {}): Promise<Schemas['PullView']> {
    return this.connection.json({ ...options, method: 'GET', path: this.path });
  }

  [Symbol.asyncIterator](): AsyncGenerator<PulledRow, void> {
    return this.rows();
  }

  /**
   * Rows as they are pulled, each once, until the pull ends.
   * @throws TrawlError `job_failed` after the last row if it failed; a cancelled pull just ends
   */
  async *rows({ after = 0, signal }: RowsOptions = {}): AsyncGenerator<PulledRow, void> {
    let position = after;
    let delayMs = FIRST_POLL_MS;
    for (let wasOver = false; ;) {
      const { rows, status } = await this.page(position, signal);
      for (const row of rows) yield row as PulledRow;
      position += rows.length;
      // Rows may have been added between the rows and the state of one response.
      if (wasOver && rows.length === 0) return status === 'failed' ? this.fail(signal) : undefined;
      wasOver = ENDED.includes(status);
      if (wasOver || rows.length === PAGE_ROWS) continue;
      delayMs = rows.length > 0 ? FIRST_POLL_MS : Math.min(MAX_POLL_MS, delayMs * 1.5);
      await abortableDelay(delayMs, signal);
    }
  }

  /** Cancels it. Its rows so far stay, and stay charged; a pull that is over stays as it is. */
  cancel(options: CallOptions = {}): Promise<Schemas['PullCancelled']> {
    return this.connection.json({ ...options, method: 'DELETE', path: this.path });
  }

  private page(cursor: number, signal?: AbortSignal): Promise<Schemas['PullRowsPage']> {
    const query = { cursor, limit: PAGE_ROWS };
    return this.connection.json({ method: 'GET', path: `${this.path}/results`, query, signal });
  }

  private async fail(signal?: AbortSignal): Promise<never> {
    const { error } = await this.status({ signal });
    throw new TrawlError(`Pull ${this.id} failed: ${error ?? 'the service gives no reason'}`, {
      code: 'job_failed',
      hint: 'Its rows so far stay. Make a new preview to pull again.',
    });
  }
}
