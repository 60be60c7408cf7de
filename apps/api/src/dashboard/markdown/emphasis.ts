import { html, type Html, type Piece } from '../html/html.js';

/** Maximum number of open marks; further ones are text. Keeps the cost linear. */
const MAX_OPEN = 16;

interface Open {
  readonly mark: string;
  readonly content: Piece[];
}

export interface Flank {
  readonly mayOpen: boolean;
  readonly mayClose: boolean;
}

/** Pairs the marks of emphasis; an unpaired mark is shown as text. */
export class EmphasisPairs {
  private readonly open: Open[] = [];
  private readonly root: Piece[] = [];

  push(piece: Piece): void {
    (this.open.at(-1)?.content ?? this.root).push(piece);
  }

  mark(mark: string, { mayOpen, mayClose }: Flank): void {
    const partner = mayClose ? this.open.findLastIndex((one) => one.mark === mark) : -1;
    if (partner >= 0) return this.close(partner);
    if (mayOpen && this.open.length < MAX_OPEN) this.open.push({ mark, content: [] });
    else this.push(mark);
  }

  end(): Html {
    this.giveUpAfter(0);
    return html`${this.root}`;
  }

  private close(index: number): void {
    this.giveUpAfter(index + 1);
    const closed = this.open.pop();
    if (closed) this.push(element(closed));
  }

  /** Marks that were opened inside and never closed. */
  private giveUpAfter(index: number): void {
    while (this.open.length > index) {
      const given = this.open.pop();
      // As one piece: copying the pieces at each level would make the cost quadratic.
      if (given) this.push([given.mark, given.content]);
    }
  }
}

function element({ mark, content }: Open): Html {
  switch (mark) {
    case '**':
    case '__':
      return html`<strong>${content}</strong>`;
    case '~~':
      return html`<del>${content}</del>`;
    default:
      return html`<em>${content}</em>`;
  }
}
