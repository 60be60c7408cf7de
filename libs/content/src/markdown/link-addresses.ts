import { type ContentOptions } from '@app/contracts';
import { escapeTarget, escapeTitle } from './inline-text.js';

/** Where the addresses of links and images go: behind each, in a numbered list at the end, or nowhere. */
export class LinkAddresses {
  private readonly numbers = new Map<string, number>();
  /** UTF-16 units of the list. */
  chars = 0;

  constructor(private readonly style: NonNullable<ContentOptions['linkStyle']> = 'inlined') {}

  /** Links and images are their text alone. */
  get areOmitted(): boolean {
    return this.style === 'omitted';
  }

  /** What follows the text of a link or image in brackets. */
  behind(target: string, title: string): string {
    const address = `${escapeTarget(target)}${title === '' ? '' : ` "${escapeTitle(title)}"`}`;
    return this.style === 'referenced' ? `[${this.numberOf(address)}]` : `(${address})`;
  }

  private numberOf(address: string): number {
    const known = this.numbers.get(address);
    if (known !== undefined) return known;
    const number = this.numbers.size + 1;
    this.numbers.set(address, number);
    this.chars += address.length + String(number).length + '[]: \n'.length;
    return number;
  }

  /** The list: link reference definitions (CommonMark 4.7), in the order of their first use. Empty: there are none. */
  list(): string {
    return [...this.numbers].map(([address, number]) => `[${number}]: ${address}`).join('\n');
  }
}
