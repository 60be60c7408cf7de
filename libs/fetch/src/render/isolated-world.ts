import type { CDPSession } from 'playwright';
import { LATE, type Lifeline } from './lifeline.js';
import { PageDom } from './page-side/page-dom.js';
import { outOfTime, RenderError } from './render-error.js';

/** A class whose source runs in the page: it may refer to nothing outside itself. */
export type PageSide<A, R> = new (argument: A, dom: PageDom) => { run(): R | Promise<R> };

/** The document went away under a question to it: a navigation. Ask again. */
export class DocumentGone extends Error {}

const WORLD = 'reader';

/**
 * Runs our code in a JavaScript world of its own beside the page's: same DOM, other globals. Whatever
 * the page has put into `Array.prototype` or `JSON`, it never meets our code.
 */
export class IsolatedWorld {
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
   * What the page-side class makes of the page, within `ms`. A page whose own script never ends is
   * stopped after that, and asked once more: what it holds by then is better than nothing.
   * @throws DocumentGone | RenderError
   */
  async run<A, R>(side: PageSide<A, R>, argument: A, ms: number): Promise<R> {
    const answer = this.evaluate(side, argument);
    const first = await this.lifeline.atMost(answer, ms);
    if (first !== LATE) return first;
    for (let tries = 0; tries < MAX_INTERRUPTS; tries++) {
      await this.lifeline.atMost(this.interrupt(), INTERRUPT_MS);
      const later = await this.lifeline.atMost(answer, INTERRUPT_MS);
      if (later !== LATE) return later;
    }
    throw outOfTime('the page kept its thread busy');
  }

  /** As `run`, for a wait that may come to nothing: LATE then. */
  ask<A, R>(side: PageSide<A, R>, argument: A, ms: number): Promise<R | typeof LATE> {
    return this.lifeline.atMost(this.evaluate(side, argument), ms);
  }

  private async interrupt(): Promise<void> {
    // Without the first, the next timer of the page takes the thread again.
    await Promise.all([
      this.cdp.send('Emulation.setScriptExecutionDisabled', { value: true }),
      this.cdp.send('Runtime.terminateExecution'),
    ]);
  }

  private async evaluate<A, R>(side: PageSide<A, R>, argument: A): Promise<R> {
    const contextId = await this.contextId();
    const expression = `new (${side})(${JSON.stringify(argument)}, new (${PageDom})()).run()`;
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
  throw new DocumentGone('the document went away', { cause: error });
}
