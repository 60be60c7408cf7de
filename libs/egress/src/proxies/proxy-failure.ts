/**
 * `unreachable`: no connection to the proxy, or no HTTP from it. `credentials`: 407.
 * `gateway`: 502, 503, 504 or silence after it was asked: the proxy or the target may be at fault.
 * `refused`: any other status: the proxy works and does not want this target.
 */
export type ProxyFailureKind = 'unreachable' | 'credentials' | 'gateway' | 'refused';

/** A proxy opened no tunnel. Holds neither its credentials nor the text of its response. */
export class ProxyFailure extends Error {
  constructor(
    readonly kind: ProxyFailureKind,
    /** The system's code or `HTTP <status>`. */
    readonly code: string,
  ) {
    super(`Proxy failed (${kind}): ${code}`);
    this.name = 'ProxyFailure';
  }
}
