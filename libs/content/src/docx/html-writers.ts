import { type ListMark } from './numbering.js';

/** Lists in lists; deeper ones stay at this depth. */
const MAX_LISTS = 12;

/** Twentieths of a point that the edges of one list may differ by. */
const SAME_EDGE = 100;

interface OpenList {
  readonly mark: ListMark;
  readonly edge: number | undefined;
  readonly name: 'ul' | 'ol';
  next: number;
}

/** Blocks of a document, a cell or a note, one after the other; items make lists. */
export class BlockHtml {
  private html = '';
  private readonly lists: OpenList[] = [];
  private isListing = false;

  add(html: string): void {
    this.endBlock();
    this.html += html;
  }

  /** Lines of a listing in a row are one. */
  addListing(html: string): void {
    if (this.isListing) this.html += `\n${html}`;
    else this.add(`<pre>\n${html}`);
    this.isListing = true;
  }

  /** @param edge where the mark stands, in twentieths of a point */
  addItem(html: string, mark: ListMark, edge: number | undefined): void {
    if (this.isListing) this.endBlock();
    this.closeTo(this.placeOf(mark, edge));
    const name = mark.number === undefined ? 'ul' : 'ol';
    let list = this.lists.at(-1);
    if (list === undefined || !this.continues(list, mark, edge)) {
      if (this.lists.length >= MAX_LISTS) this.closeTo(MAX_LISTS - 1);
      const start = mark.number ?? 1;
      this.html += start === 1 ? `<${name}>` : `<${name} start="${start}">`;
      list = { mark, edge, name, next: start };
      this.lists.push(list);
    } else {
      this.html += '</li>';
    }
    list.next++;
    this.html += `<li>${html}`;
  }

  /** A paragraph of a list without a mark belongs to the item before it. */
  addToItem(html: string, mark: ListMark): void {
    if (this.lists.length === 0) return this.add(`<p>${html}</p>`);
    this.closeTo(this.lists.findLastIndex((list) => list.mark.level <= mark.level) + 1 || 1);
    this.html += `<p>${html}</p>`;
  }

  finish(): string {
    this.endBlock();
    return this.html;
  }

  /** How many of the open lists hold the item or go on with it. */
  private placeOf(mark: ListMark, edge: number | undefined): number {
    const own = this.lists.findIndex((list) => list.mark.series === mark.series);
    const above = this.lists.findLastIndex(
      (list) => list.mark.series === mark.series && list.mark.level <= mark.level,
    );
    // Further out than where its list began.
    if (own !== -1 && above === -1) return own;
    const same = this.lists[above];
    if (same?.mark.level === mark.level)
      return this.continues(same, mark, edge) ? above + 1 : above;
    // A list of its own is inside of those that it is further in than.
    const around = this.lists.findLastIndex((list) => isInside(mark, edge, list));
    const depth = Math.max(above, around) + 1;
    const beside = this.lists[depth];
    return beside !== undefined && this.continues(beside, mark, edge) ? depth + 1 : depth;
  }

  /** Whether the item is the next one of a list. Bullets of two lists look like one. */
  private continues({ mark, next, name, edge }: OpenList, item: ListMark, at?: number): boolean {
    if (mark.level !== item.level) return false;
    const isSame = mark.series === item.series;
    if (item.number === undefined) return name === 'ul' && (isSame || isBeside(edge, at));
    return name === 'ol' && isSame && item.number === next;
  }

  private endBlock(): void {
    if (this.isListing) this.html += '</pre>';
    this.isListing = false;
    this.closeTo(0);
  }

  private closeTo(depth: number): void {
    while (this.lists.length > depth) this.html += `</li></${this.lists.pop()?.name ?? 'ul'}>`;
  }
}

function isInside(mark: ListMark, edge: number | undefined, list: OpenList): boolean {
  if (isBeside(edge, list.edge)) return mark.level > list.mark.level;
  return (edge ?? 0) > (list.edge ?? 0);
}

/** Where one says nothing about its place, there is no difference. */
const isBeside = (a: number | undefined, b: number | undefined): boolean =>
  a === undefined || b === undefined || Math.abs(a - b) <= SAME_EDGE;
