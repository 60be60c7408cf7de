/** A paragraph of a text in which lists are told by levels alone. */
export interface ListLine {
  readonly html: string;
  /** From 0; absent: no item of a list. */
  readonly level?: number;
  readonly isNumbered?: boolean;
}

/** Lists in lists; deeper ones stay at this depth. */
const MAX_LISTS = 12;

/** Paragraphs as HTML, items as lists in lists. */
export function linesHtml(lines: readonly ListLine[]): string {
  let html = '';
  /** Of the open lists, the outermost first. */
  const open: { readonly level: number; readonly name: 'ul' | 'ol' }[] = [];
  const close = (): void => {
    html += `</li></${open.pop()?.name ?? 'ul'}>`;
  };
  for (const { html: line, level, isNumbered } of lines) {
    if (level === undefined) {
      while (open.length > 0) close();
      html += `<p>${line}</p>`;
      continue;
    }
    const name = isNumbered ? 'ol' : 'ul';
    while (open.length > 0 && (open.at(-1)?.level ?? -1) > level) close();
    if (open.at(-1)?.level === level && open.at(-1)?.name !== name) close();
    if (open.at(-1)?.level === level || open.length >= MAX_LISTS) html += `</li><li>${line}`;
    else {
      html += `<${name}><li>${line}`;
      open.push({ level, name });
    }
  }
  while (open.length > 0) close();
  return html;
}
