import type { PageShot } from './page-shot.js';

/** Actions of a browser on the page, in order (specification: POST /v1/scrape, `actions`). */
export type PageAction =
  | { readonly type: 'click'; readonly selector: string }
  /** Scrolls the page, or the element, down by `px`; negative goes up. */
  | { readonly type: 'scroll'; readonly selector?: string; readonly px: number }
  /** Waits `ms`, or until the selector matches (then `ms` bounds the wait). */
  | { readonly type: 'wait'; readonly ms: number; readonly selector?: string }
  /** Types into the element, or into the one that has the focus. */
  | { readonly type: 'write'; readonly selector?: string; readonly text: string }
  | { readonly type: 'press'; readonly selector?: string; readonly key: string }
  /** Without `shot`: the viewport as PNG. */
  | { readonly type: 'screenshot'; readonly shot?: PageShot }
  | { readonly type: 'pdf' };

type PageActionType = PageAction['type'];

/** An action that could not be carried out; those after it did not run. */
export interface ActionFailure {
  /** Position in the request's list, from 0. */
  readonly index: number;
  readonly type: PageActionType;
  /** For people: why. */
  readonly reason: string;
}

/** Outputs of `screenshot` and `pdf` actions, in the order of the actions. */
export interface ActionResult {
  readonly index: number;
  readonly type: 'screenshot' | 'pdf';
  readonly contentType: 'image/png' | 'image/jpeg' | 'application/pdf';
  readonly base64: string;
}
