import type { PageFetcher } from '../page/page-fetcher.js';
import type { PageRequest, PageResult } from '../page/page-result.js';
import type { DeepScan } from './deep-scan.js';
import { RequestScans, type ScanPorts, type ScanTerms } from './request-scans.js';

export interface TechScansOptions extends ScanPorts {
  readonly deep: DeepScan;
  /** Fetches by browsers that tell what a page does in them, and by nothing else. */
  readonly browsers: Pick<PageFetcher, 'fetch'>;
}

/** What a fetcher needs to find the technologies of sites: scanners by the queue, and a browser. */
export class TechScans {
  constructor(private readonly options: TechScansOptions) {}

  get deep(): DeepScan {
    return this.options.deep;
  }

  open(terms: ScanTerms): RequestScans {
    return new RequestScans(this.options, terms);
  }

  /** For {@link DeepScan.render}; whoever keeps a site's pace wraps it. */
  fetchWatched(request: PageRequest): Promise<PageResult> {
    return this.options.browsers.fetch(request);
  }
}
