import { html, type Piece } from './html.js';

const text = (piece: Piece): string => html`${piece}`.toString();

describe('markup', () => {
  it.each<[string, Piece, string]>([
    ['a tag', '<script>x()</script>', '&lt;script&gt;x()&lt;/script&gt;'],
    ['both quotes', `" onload='x'`, '&quot; onload=&#39;x&#39;'],
    ['an ampersand once', '&lt;', '&amp;lt;'],
    ['a number', 12, '12'],
    ['a large number', 12n, '12'],
    ['zero', 0, '0'],
    ['nothing', null, ''],
    ['nothing at all', undefined, ''],
    ['a false condition', false, ''],
    ['a list', ['<', '>'], '&lt;&gt;'],
    ['a list of lists', [['<'], [null, 'a']], '&lt;a'],
  ])('escapes %s', (_name, piece, expected) => {
    expect(text(piece)).toBe(expected);
  });

  it('does not escape markup', () => {
    expect(html`<p>${html`<b>${'<'}</b>`}</p>`.toString()).toBe('<p><b>&lt;</b></p>');
    expect(text([html`<i></i>`, '<i>'])).toBe('<i></i>&lt;i&gt;');
  });

  it('does not treat a look-alike object as markup', () => {
    const forged = { toString: () => '<script></script>' } as unknown as Piece;
    expect(text(forged)).toBe('&lt;script&gt;&lt;/script&gt;');
  });

  it('does not let a value break out of an attribute', () => {
    const page = html`<a title="${'"><script>'}">x</a>`.toString();
    expect(page).toBe('<a title="&quot;&gt;&lt;script&gt;">x</a>');
  });
});
