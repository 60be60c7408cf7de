/** Exit codes of `trawl`; docs/cli.md lists them. */
export const EXIT = {
  ok: 0,
  /** The service refused the request, or the page or job failed. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Some pages failed, or the crawl was cancelled. */
  partial: 3,
  /** The service cannot be reached or is busy: the same command may succeed later. */
  unavailable: 4,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
