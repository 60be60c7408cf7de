import { articleHtml, htmlPage, sendHtml, type FixtureSite } from '@app/testing';

const FOLDER = '/held/';

/** What the page of a number is about. */
export const heldTopic = (n: number): string => `held-${n}`;

/**
 * Pages of a site, of which only so many are answered: work on them goes on until the test lets the others go, however
 * long its own steps take. The first leads to all others.
 */
export class HeldPages {
  private readonly waiting: (() => void)[] = [];

  /** @param answered requests that are answered at once */
  constructor(
    private readonly site: FixtureSite,
    count: number,
    private answered = 0,
  ) {
    const paths = Array.from({ length: count }, (_, n) => `${FOLDER}${n === 0 ? '' : n}`);
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
    for (const [n, path] of paths.entries())
      site.serve({
        [path]: async ({ response }) => {
          await this.turn();
          const body = articleHtml(heldTopic(n)) + (n === 0 ? links : '');
          sendHtml(response, htmlPage({ title: `Held ${n}`, body }));
        },
      });
  }

  /** Address of the first page. */
  get url(): string {
    return this.site.url(FOLDER);
  }

  /** Answers so many further requests. */
  answer(count: number): void {
    this.answered += count;
    while (this.answered > 0 && this.waiting.length > 0) {
      this.answered--;
      this.waiting.shift()?.();
    }
  }

  /** Answers all from now on. */
  release(): void {
    this.answer(Infinity);
  }

  private turn(): Promise<void> {
    if (this.answered > 0) {
      this.answered--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
