import type { Plan } from './plans.js';

/** Request of the `screenshot` queue. */
export interface ScreenshotTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly url: string;
  readonly shot: ScreenshotOptions;
  /** Milliseconds after DOM content loaded. */
  readonly waitForMs: number;
  readonly cookies: readonly BrowserCookie[];
  /** Object storage is configured: the image goes there. */
  readonly upload: boolean;
  readonly deadlineAtMs: number;
}

export interface ScreenshotOptions {
  readonly fullPage: boolean;
  /** Width of the viewport, CSS pixels. */
  readonly widthPx: number;
  /** Height of the viewport. @default that of a desktop or a phone */
  readonly heightPx?: number;
  /** A phone's viewport, scale, touch and user agent. */
  readonly mobile: boolean;
  /** CSS selector; its first match is taken alone. */
  readonly element: string | null;
  /**
   * The page is scrolled through before the whole of it or an element is taken, so that what appears on scrolling is
   * there. @default true
   */
  readonly scroll?: boolean;
  readonly format: 'png' | 'jpeg';
  /** Of a JPEG, 1 to 100. @default 80 */
  readonly quality?: number;
}

/** One cookie as browsers keep it: of the screenshot endpoint's JSON list, or of a profile. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  /** With or without a leading dot. */
  readonly domain: string;
  readonly path: string;
  readonly secure?: boolean;
  readonly httpOnly?: boolean;
  readonly sameSite?: 'strict' | 'lax';
  /** Seconds since 1970. @default the end of the session */
  readonly expires?: number;
}

/** Blob key of an uploaded image, or the image itself where there is no object storage or it failed. */
export type ImageRef = { readonly contentType: 'image/png' | 'image/jpeg' } & (
  { readonly key: string } | { readonly base64: string }
);

/** Answer to a {@link ScreenshotTask}. */
export type ScreenshotReply =
  | {
      readonly kind: 'image';
      /** Address after redirects. */
      readonly url: string;
      /** Of the site; fetchers of the version before leave it out. */
      readonly statusCode?: number;
      readonly widthPx: number;
      readonly heightPx: number;
      /** The page is taller than a picture may be; its lower part is missing. */
      readonly isClipped: boolean;
      readonly latencyMs: number;
      readonly image: ImageRef;
    }
  /** `isOurs`: the browser failed, not the page or what was requested of it. */
  | { readonly kind: 'failed'; readonly problem: string; readonly isOurs?: boolean }
  /** No browser can be started; `isPermanent`: none is configured. */
  | { readonly kind: 'unavailable'; readonly isPermanent?: boolean }
  | { readonly kind: 'blocked'; readonly url: string };
