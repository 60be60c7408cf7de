import type {
  BrowserPoolEvents,
  BrowserPoolOptions,
  BrowserPoolSnapshot,
  LaunchResult,
} from '@app/fetch';
import type { FetchRequest, RungResult } from '@app/fetch';
import type { DeniedStage, GuardSettings } from '@app/egress';
import type { RunAs } from '@app/processes';

/** The fetch methods that need Playwright. */
export type BrowserRung = 'headless' | 'stealth' | 'hosted_browser';

/** Sent to the browser process once, at its start. It has no other settings and no other secrets. */
export interface BrowserTerms {
  readonly egress: GuardSettings & {
    readonly outboundProxies: string;
    readonly outboundProxyResolvesNames: boolean;
  };
  /** Null: no local browser. */
  readonly pool: Omit<BrowserPoolOptions, 'refusingUrl' | 'openSession' | 'events'> | null;
  /** CDP URL of a remote browser; may contain a key. */
  readonly hostedUrl: string | null;
  /** The user to switch to before Chromium starts; null: keep the current user. */
  readonly runAs: RunAs | null;
  /** Resident memory above which the browser process ends. @default MAX_BROWSER_PROCESS_MIB */
  readonly maxProcessMiB?: number;
}

/** A {@link FetchRequest} without the parts that cannot be copied. */
export interface WireRequest extends Omit<
  FetchRequest,
  'url' | 'deadline' | 'signal' | 'spend' | 'onRedirect' | 'signDocument'
> {
  readonly url: string;
  readonly remainingMs: number;
  /** Redirects need approval before they are followed. */
  readonly needsRedirectApproval: boolean;
  /** Documents of the main frame are requested with a signature, which only the service can make. */
  readonly needsSignature: boolean;
}

/** Of an address that a page is sent to: by the guard (`blocked`), or for another reason, such as robots.txt. */
export type Approval = 'allowed' | 'blocked' | 'refused';

export type ToBrowser =
  | { readonly type: 'start'; readonly terms: BrowserTerms }
  | {
      readonly type: 'fetch';
      readonly id: number;
      readonly rung: BrowserRung;
      readonly request: WireRequest;
    }
  | { readonly type: 'abort'; readonly id: number }
  /** The answer to `redirect`. */
  | {
      readonly type: 'redirected';
      readonly id: number;
      readonly step: number;
      readonly approval: Approval;
    }
  /** The answer to `sign`. Null: that page is no longer waited for. */
  | {
      readonly type: 'signed';
      readonly id: number;
      readonly step: number;
      readonly headers: Readonly<Record<string, string>> | null;
    }
  | { readonly type: 'snapshot'; readonly id: number }
  | { readonly type: 'close' };

/** The outcome of a call. */
export type Outcome =
  | { readonly kind: 'fetched'; readonly result: RungResult }
  /** The guard refused the page. */
  | { readonly kind: 'blocked'; readonly stage: DeniedStage; readonly url: string }
  /** `onRedirect` did: its error is at the other side. */
  | { readonly kind: 'redirect_refused' }
  | { readonly kind: 'snapshot'; readonly snapshot: BrowserPoolSnapshot }
  | { readonly kind: 'failed'; readonly message: string };

type EventOf<Name extends keyof BrowserPoolEvents> = {
  readonly name: Name;
  readonly args: Parameters<NonNullable<BrowserPoolEvents[Name]>>;
};

/** An event of the pool. */
export type PoolEvent = {
  [Name in keyof BrowserPoolEvents]-?: EventOf<Name>;
}[keyof BrowserPoolEvents];

export type FromBrowser =
  | { readonly type: 'done'; readonly id: number; readonly outcome: Outcome }
  | { readonly type: 'redirect'; readonly id: number; readonly step: number; readonly url: string }
  /** A running page requests a document, and its request must be signed. */
  | { readonly type: 'sign'; readonly id: number; readonly step: number; readonly url: string }
  | { readonly type: 'event'; readonly event: PoolEvent }
  /** At the start: whether a browser can be launched and shows a page. */
  | { readonly type: 'tried'; readonly result: LaunchResult }
  | { readonly type: 'denied'; readonly stage: DeniedStage }
  | {
      readonly type: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly text: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };
