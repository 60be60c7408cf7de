/** The mark of a note in a text, as a link that Markdown makes a footnote of. */
export const noteReference = (number: number): string =>
  `<sup><a href="#note-${number}" id="note-ref-${number}">[${number}]</a></sup>`;

/** A note with the way back to its mark. */
export function noteItem(html: string, number: number): string {
  const back = ` <a href="#note-ref-${number}">↑</a>`;
  const text = html.endsWith('</p>') ? `${html.slice(0, -4)}${back}</p>` : `${html}<p>${back}</p>`;
  return `<li id="note-${number}">${text}</li>`;
}
