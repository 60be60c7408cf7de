import { parseHtml } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { writeMarkdown } from './write-markdown.js';

const markdownOf = (html: string): string =>
  writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/')).markdown.trimEnd();

describe('formulas with a source', () => {
  it.each([
    [
      'KaTeX',
      'a <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span> b',
      'a $x_1$ b',
    ],
    [
      'KaTeX on its own line',
      'a<span class="katex-display"><span class="katex"><math><annotation encoding="application/x-tex">E=mc^2</annotation></math></span></span>b',
      'a\n\n$$E=mc^2$$\n\nb',
    ],
    ['LaTeXML', '<math alttext="x^{2}"><mi>x</mi></math>', '$x^{2}$'],
    ['a displayed formula', '<math display="block" alttext="y"></math>', '$$y$$'],
    [
      'MediaWiki, whose MathML is hidden',
      'a <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math><annotation encoding="application/x-tex">{\\displaystyle x^{2}}</annotation></math></span><img src="x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle x^{2}}"></span> b',
      'a $x^{2}$ b',
    ],
    [
      'MathJax 2, drawn',
      'a <span class="MathJax_Preview">p</span><span class="MathJax"><nobr>x2</nobr></span><script type="math/tex">x^2</script> b',
      'a $x^2$ b',
    ],
    ['MathJax 2, not drawn', '<script type="math/tex; mode=display">y</script>', '$$y$$'],
    [
      'MathJax 3',
      '<mjx-container display="true"><mjx-math aria-hidden="true">z</mjx-math><mjx-assistive-mml><math><mi>z</mi></math></mjx-assistive-mml></mjx-container>',
      '$$z$$',
    ],
  ])('%s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

describe('MathML without a source', () => {
  it.each([
    ['<mi>x</mi><mo>=</mo><mn>1</mn>', 'x=1'],
    ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>', '\\frac{a+b}{2}'],
    ['<msup><mi>x</mi><mn>2</mn></msup><msub><mi>a</mi><mi>i</mi></msub>', 'x^2a_i'],
    ['<msup><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mn>10</mn></msup>', '{x+1}^{10}'],
    ['<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_i^2'],
    ['<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>', '\\sqrt{x}\\sqrt[3]{y}'],
    [
      '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
      '∑_{i=1}^ni',
    ],
    ['<munder><mi>lim</mi><mi>n</mi></munder>', '\\lim_n'],
    ['<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>', '\\bar{x}\\vec{v}'],
    ['<mi>sin</mi><mi>x</mi><mtext>if so</mtext>', '\\sin x\\text{if so}'],
    ['<mfenced open="[" close="]"><mi>a</mi><mi>b</mi></mfenced>', '[a,b]'],
    [
      '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>',
      '\\begin{matrix} 1 & 0 \\\\ 0 & 1 \\end{matrix}',
    ],
    ['<mi>f</mi><mo>&#x2061;</mo><mo>{</mo><mi>x</mi><mo>}</mo>', 'f\\{x\\}'],
  ])('%s', (mathml, tex) => {
    expect(markdownOf(`<math>${mathml}</math>`)).toBe(`$${tex}$`);
  });

  it('is nothing when there is nothing in it', () => {
    expect(markdownOf('a<math></math>b')).toBe('ab');
  });
});
