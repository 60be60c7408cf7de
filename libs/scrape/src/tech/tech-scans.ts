import type { PageFetcher } from '../page/page-fetcher.js';
import type { PageRequest, PageResult } from '../page/page-result.js';
import type { DeepScan } from './deep-scan.js';
import { RequestScans, type ScanPorts, type ScanTerms } from './request-scans.js';

export interface TechScansOptions extends ScanPorts {
  readonly deep: DeepScan;
  /** Fetches with browsers that record a page's behaviour, and with no other method. */
  readonly browsers: Pick<PageFetcher, 'fetch'>;
}

/** The parts that detect technologies of sites: scanners behind the queue, and a browser. */
export class TechScans {
  constructor(private readonly options: TechScansOptions) {}

  get deep(): DeepScan {
    return this.options.deep;
  }

  open(terms: ScanTerms): RequestScans {
    return new RequestScans(this.options, terms);
  }

  /** For {@link DeepScan.render}; callers that keep a site's pace wrap it. */
  fetchWatched(request: PageRequest): Promise<PageResult> {
    return this.options.browsers.fetch(request);
  }
}
