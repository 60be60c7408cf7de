/** Message of the `crawl` queue: names a leased page. The fetcher claims it in SQL before it sends a request. */
export interface CrawlTask {
  readonly jobId: string;
  /** The page's URL key: 32 hexadecimal digits. */
  readonly urlKey: string;
  /** Dispatch number of the lease; a later dispatch makes this message void. */
  readonly epoch: number;
}
