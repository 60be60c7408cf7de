import type { ActionFailure, ActionResult, PageAction } from '@app/contracts';
import { BlockedUrlError } from '@app/egress';
import type { Locator, Page } from 'playwright';
import { playwright } from '../browser/playwright.js';
import { RenderError } from './render-error.js';
import type { Rendering } from './rendering.js';
import { takeShot, takeViewport } from './screenshot.js';
import { scroll, showWholePage } from './scroll-through.js';
import { afterAction } from './settle.js';

/** How long an action waits for its element before it fails. */
const ELEMENT_WAIT_MS = 5_000;
/** Longer texts are put in at once: typing them key by key would take seconds. */
const MAX_TYPED_CHARS = 200;
/** All pictures and documents of one request together. */
const MAX_RESULT_BYTES = 32 * 1024 * 1024;

/** The CSS engine decides what accepts text, so a page cannot fake it: no select, checkbox, read-only or disabled field. */
const FOCUSED_FIELD = 'css=:focus:read-write';
/** How many frames of a page are searched for the focused field. */
const MAX_SEARCHED_FRAMES = 20;

/** Why an action could not be carried out, for people. */
class CannotAct extends Error {}

/**
 * Carries the request's actions out, in order. The first that fails ends it: none after it runs.
 * @throws RenderError naming the action's position and why
 */
export async function runActions(rendering: Rendering): Promise<readonly ActionResult[]> {
  const results: ActionResult[] = [];
  let bytes = 0;
  for (const [index, action] of rendering.request.options.actions.entries()) {
    const { length: refused } = rendering.gate.refusedNavigations;
    const made = await act(rendering, action).catch((error: unknown) => {
      throw failed(rendering, index, action, error);
    });
    await leadsSomewhere(rendering, refused).catch((error: unknown) => {
      throw failed(rendering, index, action, error);
    });
    if (made === null) continue;
    bytes += made.bytes.length;
    if (bytes > MAX_RESULT_BYTES) {
      throw failed(rendering, index, action, new CannotAct('the results are too large'));
    }
    results.push(resultOf(index, made));
  }
  return results;
}

interface Made {
  readonly type: ActionResult['type'];
  readonly contentType: ActionResult['contentType'];
  readonly bytes: Uint8Array;
}

function resultOf(index: number, { type, contentType, bytes }: Made): ActionResult {
  return { index, type, contentType, base64: Buffer.from(bytes).toString('base64') };
}

async function act(rendering: Rendering, action: PageAction): Promise<Made | null> {
  const { type } = action;
  switch (type) {
    case 'click':
      await onElement(rendering, action.selector, (element, timeout) => element.click({ timeout }));
      await afterAction(rendering);
      return null;
    case 'scroll':
      await scrollBy(rendering, action);
      return null;
    case 'wait':
      await wait(rendering, action);
      return null;
    case 'write':
      await write(rendering, action);
      await afterAction(rendering);
      return null;
    case 'press':
      await press(rendering, action);
      await afterAction(rendering);
      return null;
    case 'screenshot':
      return picture(rendering, action);
    case 'pdf':
      return { type, contentType: 'application/pdf', bytes: await print(rendering) };
  }
}

async function picture(
  rendering: Rendering,
  { type, shot }: Extract<PageAction, { type: 'screenshot' }>,
): Promise<Made> {
  if (shot === undefined)
    return { type, contentType: 'image/png', bytes: await takeViewport(rendering) };
  const { contentType, bytes } = await takeShot(rendering, shot);
  return { type, contentType, bytes };
}

type OnElement = (element: Locator, timeoutMs: number) => Promise<void>;

/** The first visible match of a CSS selector; waited for a moment, since pages bring things late. */
async function onElement(rendering: Rendering, selector: string, work: OnElement): Promise<void> {
  const { page, lifeline, request } = rendering;
  const { elementWaitMs = ELEMENT_WAIT_MS } = request.render;
  const all = page.locator(`css=${selector}`);
  const element = all.filter({ visible: true }).first();
  const timeoutMs = Math.max(1, Math.min(elementWaitMs, leftMs(rendering)));
  try {
    await lifeline.holdBack(work(element, timeoutMs), 'an action ran');
  } catch (error) {
    if (!(error instanceof playwright().errors.TimeoutError)) throw error;
    throw await reasonFor(rendering, selector, all);
  }
}

async function reasonFor(rendering: Rendering, selector: string, all: Locator): Promise<Error> {
  const { lifeline } = rendering;
  const count = await lifeline.hold(all.count(), 'an action ran');
  const shown = JSON.stringify(selector);
  if (count === 0) return new CannotAct(`no element matches ${shown}`);
  const visible = await lifeline.hold(all.filter({ visible: true }).count(), 'an action ran');
  return new CannotAct(
    visible === 0
      ? `no element that matches ${shown} is visible`
      : `the element ${shown} cannot be used: it is covered, disabled or moving`,
  );
}

async function scrollBy(
  rendering: Rendering,
  { selector: given, px }: Extract<PageAction, { type: 'scroll' }>,
): Promise<void> {
  const selector = given ?? null;
  if (given !== undefined) {
    await onElement(rendering, given, (element, timeout) =>
      element.waitFor({ state: 'attached', timeout }),
    );
  }
  const state = await scroll(rendering, { to: 'by', px, selector }, leftMs(rendering));
  if (state === null) throw new CannotAct('the page does not answer');
  if (!state.isFound) throw new CannotAct(`no element matches ${JSON.stringify(selector)}`);
  await afterAction(rendering);
}

async function wait(
  rendering: Rendering,
  { ms, selector }: Extract<PageAction, { type: 'wait' }>,
): Promise<void> {
  const { page, lifeline } = rendering;
  const isCut = ms > leftMs(rendering);
  const waitMs = Math.max(1, Math.min(ms, leftMs(rendering)));
  if (selector === undefined) {
    await lifeline.pause(waitMs);
    if (isCut) throw outOfActionTime();
    return;
  }
  const element = page.locator(`css=${selector}`).filter({ visible: true }).first();
  const work = element.waitFor({ state: 'visible', timeout: waitMs });
  await lifeline.hold(work, 'an action ran').catch((error: unknown) => {
    if (!(error instanceof playwright().errors.TimeoutError)) throw error;
    throw new CannotAct(`no element matched ${JSON.stringify(selector)} within ${waitMs} ms`);
  });
}

async function write(
  rendering: Rendering,
  { selector, text }: Extract<PageAction, { type: 'write' }>,
): Promise<void> {
  const { page, lifeline } = rendering;
  if (selector === undefined) {
    const isFieldFocused = await lifeline.hold(hasFocusedField(page), 'an action ran');
    if (!isFieldFocused)
      throw new CannotAct('no text field has the focus: give a `selector`, or click a field first');
  } else {
    await onElement(rendering, selector, (element, timeout) =>
      focusField(element, selector, timeout),
    );
  }
  const typing =
    text.length > MAX_TYPED_CHARS ? page.keyboard.insertText(text) : page.keyboard.type(text);
  await lifeline.holdBack(typing, 'an action ran');
}

async function focusField(element: Locator, selector: string, timeout: number): Promise<void> {
  await element.focus({ timeout });
  const focused = element.and(element.page().locator(FOCUSED_FIELD));
  if ((await focused.or(element.locator(FOCUSED_FIELD)).count()) > 0) return;
  throw new CannotAct(
    `the element ${JSON.stringify(selector)} takes no text: it is not a text field, or it is read-only or disabled`,
  );
}

async function hasFocusedField(page: Page): Promise<boolean> {
  for (const frame of page.frames().slice(0, MAX_SEARCHED_FRAMES)) {
    if ((await frame.locator(FOCUSED_FIELD).count()) > 0) return true;
  }
  return false;
}

async function press(
  rendering: Rendering,
  { selector, key }: Extract<PageAction, { type: 'press' }>,
): Promise<void> {
  const { page, lifeline } = rendering;
  if (selector !== undefined) {
    await onElement(rendering, selector, (element, timeout) => element.focus({ timeout }));
  }
  await lifeline.holdBack(page.keyboard.press(key), 'an action ran');
}

async function print(rendering: Rendering): Promise<Uint8Array> {
  const { cdp, lifeline } = rendering;
  await showWholePage(rendering);
  const work = cdp.send('Page.printToPDF', { printBackground: true });
  const { data } = await lifeline.holdBack(work, 'the page was printed');
  return Buffer.from(data, 'base64');
}

/** An action may navigate, and that may be refused, or fail: Chromium then shows a page of its own. */
async function leadsSomewhere({ frame, gate }: Rendering, refusedBefore: number): Promise<void> {
  const { length } = gate.refusedNavigations;
  if (frame.unreachableUrl === null && length === refusedBefore) return;
  throw new CannotAct('it led to an address that is blocked or cannot be reached');
}

function leftMs({ lifeline }: Rendering): number {
  return lifeline.leftMs();
}

function outOfActionTime(): RenderError {
  return new RenderError('timeout', 'the time ran out');
}

/** What ends the fetch as a whole stays what it is: robots, a crash, the caller hanging up. */
function failed(rendering: Rendering, index: number, action: PageAction, error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === null) return error;
  const isLate =
    leftMs(rendering) <= 0 || (error instanceof RenderError && error.errorClass === 'timeout');
  const { type } = action;
  const failure: ActionFailure = { index, type, reason: isLate ? 'the time ran out' : reason };
  return new RenderError(
    isLate ? 'timeout' : 'unknown',
    `actions[${index}] (${type}) failed: ${failure.reason}`,
    { action: failure, isWhole: true },
  );
}

function reasonOf(error: unknown): string | null {
  if (error instanceof CannotAct) return error.message;
  if (error instanceof RenderError) return error.errorClass === 'timeout' ? error.message : null;
  if (error instanceof BlockedUrlError) return 'it led to a blocked address';
  if (!(error instanceof Error)) return null;
  if (/Unknown key/.test(error.message)) return 'there is no such key';
  if (/selector|Unexpected token|parsing/i.test(error.message)) return 'not a CSS selector';
  return /^(?:locator|keyboard|page|cdpSession)\./.test(error.message)
    ? 'the browser could not do it'
    : null;
}
