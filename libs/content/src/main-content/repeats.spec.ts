import { mainOf } from './fixtures/article-page.js';

const SAYS = 'Parcels are sent on the day they are ordered, but for Sundays and holidays.';
const countOf = (inner: string, text = SAYS): number =>
  mainOf(`<main><h1>Shipping</h1><p>What it costs.</p>${inner}<p>The end.</p></main>`).split(text)
    .length - 1;
const part = (inner = `<p>${SAYS}</p>`, name = 'div'): string => `<${name}>${inner}</${name}>`;

describe('parts that repeat the one right before them', () => {
  it.each([
    ['two copies', part() + part()],
    ['of other white space', part() + part(`<p>\n${SAYS.replaceAll(' ', '\n ')}</p>`)],
    [
      'for each screen',
      `<section class=wide>${part()}</section><section class=small>${part()}</section>`,
    ],
    ['in a row', part().repeat(5)],
    ['inside parts that are alike', part(part() + part()).repeat(2)],
  ])('are left out: %s', (_, inner) => {
    expect(countOf(inner)).toBe(1);
  });

  it.each([
    ['text between them', `${part()}<p>Also:</p>${part()}`, 2],
    ['another link', part(`<a href=/a>${SAYS}</a><p>a</p>`) + part(`<p>${SAYS}</p><p>a</p>`), 2],
    ['lines of a song', `<p>${SAYS}</p><p>${SAYS}</p>`, 2],
    ['rows of a table', `<table>${`<tr><td>${SAYS}<td>1</tr>`.repeat(2)}</table>`, 2],
  ])('stay: %s', (_, inner, count) => {
    expect(countOf(inner)).toBe(count);
  });

  it('stay where they are labels', () => {
    expect(countOf(part('<p>In stock.</p>').repeat(2), 'In stock.')).toBe(2);
  });

  it('are clones of slides, wherever a carousel has them', () => {
    const slide = (text: string, mark: string): string => part(`<p class="${mark}">${text}</p>`);
    const slides = [
      `<div class="slick-slide slick-cloned"><p>${SAYS}</p></div>`,
      slide('The first of all slides says another thing than the last.', 'a'),
      part(),
      '<div class="swiper-slide swiper-slide-duplicate"><p>The first of all slides says another thing than the last.</p></div>',
    ];
    expect(countOf(slides.join(''))).toBe(1);
    expect(countOf(slides.join(''), 'The first of all')).toBe(1);
  });
});
