import type { FetchRequest, FetchRung, RungResult } from '../fetch-rung.js';
import { RemotePages, type RemotePagesOptions } from '../render/remote-pages.js';
import { renderPage } from '../render/render-page.js';
import { leaseRequest, rendered } from './headless.rung.js';

export interface HostedBrowserRungOptions extends RemotePagesOptions {
  /** Price of one page, in micro-dollars. @default 0 */
  readonly costMicroUsd?: number;
}

/** Level 4: a browser in another network, over CDP. */
export class HostedBrowserRung implements FetchRung {
  readonly rung = 'hosted_browser';
  readonly fetchMethod = 'hosted_browser';
  readonly network = 'another';
  readonly runsScripts = true;
  readonly costMicroUsd: number;
  private readonly pages: RemotePages;

  constructor({ costMicroUsd = 0, ...options }: HostedBrowserRungOptions) {
    this.costMicroUsd = costMicroUsd;
    this.pages = new RemotePages(options);
  }

  async fetch(request: FetchRequest): Promise<RungResult> {
    return rendered(() =>
      this.pages.withPage(leaseRequest(request, false), (lease) => renderPage(lease, request)),
    );
  }
}
