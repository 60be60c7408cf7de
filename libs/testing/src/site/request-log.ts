import type { IncomingHttpHeaders } from 'node:http';

/** One request as the site saw it. */
export interface SiteRequest {
  readonly method: string;
  /** Path without the query, as sent (not percent-decoded). */
  readonly path: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Epoch milliseconds of arrival. */
  readonly atMs: number;
  /** Requests on one connection share it. */
  readonly socketId: number;
  /** Port of the client's end: shows whether the service or a proxy connected. */
  readonly remotePort: number;
  /** Body of a POST, PUT or PATCH, cut at 1 MiB; empty otherwise. */
  body: string;
  /**
   * Epoch milliseconds at which the answer ended or the connection broke; null while it is open.
   */
  endedAtMs: number | null;
}

const MAX_COUNTED_PATHS = 200_000;

/** What a site was asked. Requests past `maxKept` are counted but their details are dropped. */
export class RequestLog {
  private kept: SiteRequest[] = [];
  private readonly counts = new Map<string, number>();
  private totalCount = 0;
  private open = 0;
  private peakOpen = 0;

  constructor(private readonly maxKept: number) {}

  get total(): number {
    return this.totalCount;
  }

  /** The most requests that were open at the same moment. */
  get peakInFlight(): number {
    return this.peakOpen;
  }

  get inFlight(): number {
    return this.open;
  }

  begin(request: SiteRequest): void {
    this.totalCount++;
    this.peakOpen = Math.max(this.peakOpen, ++this.open);
    if (this.kept.length < this.maxKept) this.kept.push(request);
    if (this.counts.size < MAX_COUNTED_PATHS || this.counts.has(request.path)) {
      this.counts.set(request.path, this.count(request.path) + 1);
    }
  }

  end(request: SiteRequest): void {
    if (request.endedAtMs !== null) return;
    request.endedAtMs = Date.now();
    this.open--;
  }

  /** Requests for a path; with a query in it, only those with that very query. */
  find(path?: string): readonly SiteRequest[] {
    if (path === undefined) return [...this.kept];
    const field = path.includes('?') ? 'target' : 'path';
    return this.kept.filter((request) => request[field] === path);
  }

  /** How often a path was requested, whatever its query. */
  count(path: string): number {
    return this.counts.get(path) ?? 0;
  }

  countsByPath(): ReadonlyMap<string, number> {
    return new Map(this.counts);
  }

  clear(): void {
    this.kept = [];
    this.counts.clear();
    this.totalCount = 0;
    this.peakOpen = this.open;
  }
}
