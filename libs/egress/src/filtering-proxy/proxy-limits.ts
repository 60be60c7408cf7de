/** Bounds of a {@link FilteringProxy}. All are per process unless they say otherwise. */
export interface ProxyLimits {
  /** Session ports open at once. @default 256 */
  readonly maxSessions: number;
  /** Connections of one session's client; Chromium keeps at most 32 to one proxy. @default 64 */
  readonly maxConnectionsPerSession: number;
  /** Head of one request or answer. @default 65_536 */
  readonly maxHeaderBytes: number;
  /** From a connection's opening to the end of a request's head. @default 10_000 */
  readonly requestHeadTimeoutMs: number;
  /** Name look-up and TCP. @default 15_000 */
  readonly connectTimeoutMs: number;
  /** From a request's arrival to the head of its answer, dialling included. @default 60_000 */
  readonly answerHeadTimeoutMs: number;
  /** A tunnel, a body or a kept connection on which nothing moves. @default 60_000 */
  readonly idleTimeoutMs: number;
}

export const DEFAULT_PROXY_LIMITS: ProxyLimits = {
  maxSessions: 256,
  maxConnectionsPerSession: 64,
  maxHeaderBytes: 65_536,
  requestHeadTimeoutMs: 10_000,
  connectTimeoutMs: 15_000,
  answerHeadTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
};
