/** Text of one paragraph with the elements around it; neighbors in the same ones share them. */
export class LineHtml {
  private html = '';
  /** Tags without their brackets, the outermost first. */
  private open: readonly string[] = [];
  /** Whether there is something to see. */
  hasContent = false;

  add(html: string, tags: readonly string[]): void {
    this.reopen(tags);
    this.html += html;
    this.hasContent ||= html.trim() !== '' && html !== BREAK;
  }

  /** Tags of elements that hold what is added next. */
  addTags(tags: string): void {
    this.reopen([]);
    this.html += tags;
  }

  finish(): string {
    this.reopen([]);
    return this.html;
  }

  private reopen(tags: readonly string[]): void {
    let same = 0;
    while (same < this.open.length && this.open[same] === tags[same]) same++;
    for (const tag of this.open.slice(same).reverse()) this.html += `</${nameOf(tag)}>`;
    for (const tag of tags.slice(same)) this.html += `<${tag}>`;
    this.open = tags;
  }
}

export const BREAK = '<br>';

const nameOf = (tag: string): string => /^\w+/.exec(tag)?.[0] ?? '';
