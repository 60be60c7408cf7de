/** The waits of the RabbitMQ adapter. The defaults suit production; tests shorten them. */
export interface RabbitTiming {
  /** How long a publish, request, depth or ping waits for a connection. @default 5000 */
  readonly connectWaitMs: number;
  /** How long the broker may take to confirm or respond. @default 10000 */
  readonly confirmWaitMs: number;
  /** A silent (half-open) connection is closed after about twice this. @default 10 */
  readonly heartbeatSeconds: number;
  /** First pause before reconnecting; doubles up to {@link reconnectMaxMs}. @default 200 */
  readonly reconnectMinMs: number;
  /** @default 5000 */
  readonly reconnectMaxMs: number;
  /** A consumer without deliveries for this long opens a new channel. @default 30000 */
  readonly idleRefreshMs: number;
}

export const DEFAULT_TIMING: RabbitTiming = {
  connectWaitMs: 5000,
  confirmWaitMs: 10_000,
  heartbeatSeconds: 10,
  reconnectMinMs: 200,
  reconnectMaxMs: 5000,
  idleRefreshMs: 30_000,
};
