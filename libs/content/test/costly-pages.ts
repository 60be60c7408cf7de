/** Pages whose Markdown took more than linear time once, or might. */
export const COSTLY_PAGES: Readonly<Record<string, (count: number) => string>> = {
  'misnested links': (count) => '<a href=x><i>t</a>u</i>'.repeat(count),
  'bold in a line': (count) => '<b>a</b>c'.repeat(count),
  'bold links before words': (count) => '<b>x <a href=y>z</a></b>w'.repeat(count),
  'pictures in bold': (count) => `<b>${'<img src=x alt=y>'.repeat(count)}</b>c`,
  'emphasis in a link': (count) => `<a href=x>${'<b>a</b>b'.repeat(count)}`,
  'nested code': (count) => '<code>a<b>`'.repeat(count),
  'footnote marks': (count) => '<sup><a href=#x id=x>1</a></sup>'.repeat(count),
  'items of paragraphs': (count) => `<ol>${'<li><p>a'.repeat(count)}`,
  'empty items': (count) => `<ol>${'<li>'.repeat(count)}`,
  'nested lists': (count) => '<ul><li>a'.repeat(count),
  'rows under a block of spans': (count) =>
    `<table><tr><td rowspan=1000 colspan=900>a${'<tr><td>b'.repeat(count)}`,
  'nested tables': (count) => '<table><tr><td>a<td>b'.repeat(count),
  formulas: (count) => `<math>${'<mrow><mi>x</mi>'.repeat(count)}`,
  breaks: (count) => '<p>a<br>b'.repeat(count),
  underscores: (count) => `<p>${'_'.repeat(count)}`,
  'invisible characters': (count) => `<p>${' \u200b'.repeat(count)}a`,
  'hidden elements': (count) => '<p style="opacity:0">a'.repeat(count),
};
