import type { CDPSession } from 'playwright';
import { LATE, type Lifeline } from './lifeline.js';
import { PageDom } from './page-side/page-dom.js';
import type { PageScript } from './page-script.js';
import { outOfTime, RenderError } from './render-error.js';

/** The document went away under a question to it: a navigation. Ask again. */
export class DocumentGone extends Error {}

/** Our own code was in the thread when that was stopped. */
class Interrupted extends Error {}

const WORLD = 'reader';

/**
 * Runs our code in a JavaScript world of its own beside the page's: same DOM, other globals.
 * Whatever the page has put into `Array.prototype` or `JSON`, it never meets our code.
 */
export class IsolatedWorld {
  /** The page's scripts were ended and may not run any more: what it shows is not all it would. */
  isStopped = false;
  private context: Promise<number> | null = null;

  constructor(
    private readonly cdp: CDPSession,
    private readonly frameId: string,
    private readonly lifeline: Lifeline,
  ) {}

  /** The next question is to a new document. */
  reset(): void {
    this.context = null;
  }

  /**
   * The script's result, within `ms`. A page whose own script never ends is stopped
   * after that, and asked again: what it holds by then is better than nothing. Timers do not run
   * any more then, so the script must do without.
   * @throws DocumentGone | RenderError
   */
  async run<R>(script: PageScript<R>, ms: number): Promise<R> {
    let result = this.evaluate(script);
    const first = await this.lifeline.atMost(result, ms);
    if (first !== LATE) return first;
    for (let tries = 0; tries < MAX_INTERRUPTS; tries++) {
      await this.lifeline.atMost(this.interrupt(), INTERRUPT_MS);
      const later = await this.lifeline.atMost(result.catch(unlessInterrupted), INTERRUPT_MS);
      if (later === null) result = this.evaluate(script);
      else if (later !== LATE) return later;
    }
    throw outOfTime('the page kept its thread busy');
  }

  /** As `run`, for a wait that may not succeed: the result is then LATE, and the page is left as it is. */
  ask<R>(script: PageScript<R>, ms: number): Promise<R | typeof LATE> {
    return this.lifeline.atMost(this.evaluate(script), ms);
  }

  private async interrupt(): Promise<void> {
    this.isStopped = true;
    // Without the first, the next timer of the page takes the thread again.
    await Promise.all([
      this.cdp.send('Emulation.setScriptExecutionDisabled', { value: true }),
      this.cdp.send('Runtime.terminateExecution'),
    ]);
  }

  private async evaluate<R>({ source }: PageScript<R>): Promise<R> {
    const contextId = await this.contextId();
    const expression = `(() => { const dom = new (${PageDom})(); return ${source}; })()`;
    const { result, exceptionDetails } = await this.cdp
      .send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true })
      .catch(gone);
    if (!exceptionDetails) return result.value as R;
    const text = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new RenderError('unknown', `the page could not be read (${text.slice(0, 200)})`);
  }

  private contextId(): Promise<number> {
    this.context ??= this.cdp
      .send('Page.createIsolatedWorld', { frameId: this.frameId, worldName: WORLD })
      .then(({ executionContextId }) => executionContextId, gone);
    return this.context;
  }
}

const INTERRUPT_MS = 200;
const MAX_INTERRUPTS = 5;

function gone(error: unknown): never {
  const isInterrupted = error instanceof Error && /terminated/i.test(error.message);
  if (isInterrupted) throw new Interrupted('our own code was stopped', { cause: error });
  throw new DocumentGone('the document went away', { cause: error });
}

function unlessInterrupted(error: unknown): null {
  if (error instanceof Interrupted) return null;
  throw error;
}
