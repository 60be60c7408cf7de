import type { FetchMethod } from '@app/contracts';
import type { FetchRequest, FetchRung, RungResult } from '../fetch-rung.js';
import type { PageSource, RenderLeaseRequest } from '../render/page-source.js';
import { renderPage } from '../render/render-page.js';
import { rendered } from './rendered.js';

export interface HeadlessRungOptions {
  readonly pages: PageSource;
  /** A second try, in a browser that looks like one in use; only after a bot wall. */
  readonly stealth?: boolean;
}

const VIEWPORT = { width: 1280, height: 800 };
const PHONE_HEIGHT_PX = 844;
const MIN_WIDTH_PX = 100;

/** Level 2: the page as a browser makes it. Two instances: the plain one, and `stealth` after it. */
export class HeadlessRung implements FetchRung {
  readonly rung = 'headless';
  readonly network = 'ours';
  readonly runsScripts = true;
  readonly costMicroUsd = 0;
  readonly fetchMethod: FetchMethod;
  readonly onlyAfterBlocked: boolean;
  private readonly pages: PageSource;

  constructor({ pages, stealth = false }: HeadlessRungOptions) {
    this.pages = pages;
    this.onlyAfterBlocked = stealth;
    this.fetchMethod = stealth ? 'stealth' : 'headless';
  }

  async fetch(request: FetchRequest): Promise<RungResult> {
    return rendered(() =>
      this.pages.withPage(leaseRequest(request, this.onlyAfterBlocked), (lease) =>
        renderPage(lease, request),
      ),
    );
  }
}

/** What kind of page the request needs. */
export function leaseRequest(request: FetchRequest, stealth: boolean): RenderLeaseRequest {
  const { options, render, deadline, signal, caller } = request;
  const mobile = render.screenshot?.mobile ?? false;
  const width = Math.max(MIN_WIDTH_PX, render.screenshot?.widthPx ?? VIEWPORT.width);
  const height = render.screenshot?.heightPx ?? (mobile ? PHONE_HEIGHT_PX : VIEWPORT.height);
  return {
    country: options.country,
    stealth,
    mobile,
    viewport: { width, height },
    contextKey: render.contextKey,
    priority: caller ? 'interactive' : 'crawl',
    ...(caller ? { owner: caller } : {}),
    deadline,
    ...(signal ? { signal } : {}),
  };
}
