/** Markdown as a page whose lines are paragraphs: the input of the listing layers that read text. */
export function paragraphs(markdown: string): Uint8Array {
  const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return new TextEncoder().encode(`<p>${escaped.split('\n').join('</p>\n<p>')}</p>`);
}
