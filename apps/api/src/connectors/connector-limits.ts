/** Rows of a preview (specification: POST /v1/preview). */
export const SAMPLE_ROWS = 5;
export const DEFAULT_PULL_ROWS = 50;
/** How long a preview can be pulled. */
export const PREVIEW_LIFE_MS = 24 * 3_600_000;
/** Time of a preview. */
export const PREVIEW_TIMEOUT_MS = 60_000;
/** A pull of so many rows is waited for. */
export const WAITED_ROWS = 100;
/** How long the response of a small pull waits for its end; a later end is polled for. */
export const PULL_WAIT_MS = 25_000;
export const MAX_PARAMS_CHARS = 1_000_000;
