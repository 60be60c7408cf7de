/** One attempt of the cascade, as in the response of POST /v1/scrape. */
export interface Attempt {
  readonly rung: string;
  readonly isOk: boolean;
  readonly latencyMs: number | null;
  readonly errorClass: string | null;
}

interface WireAttempt {
  readonly rung?: unknown;
  readonly ok?: unknown;
  readonly latency_ms?: unknown;
  readonly error_class?: unknown;
}

/** The attempts in the body of a result or an error; empty if it has none. */
export function attemptsIn(body: object): readonly Attempt[] {
  const { cascade } = body as { readonly cascade?: { readonly attempts?: unknown } };
  const attempts = cascade?.attempts;
  return Array.isArray(attempts) ? attempts.map((one) => readAttempt(one as WireAttempt)) : [];
}

function readAttempt({ rung, ok, latency_ms: ms, error_class: cause }: WireAttempt): Attempt {
  return {
    rung: String(rung),
    isOk: ok === true,
    latencyMs: typeof ms === 'number' ? ms : null,
    errorClass: typeof cause === 'string' ? cause : null,
  };
}
