import { type PageFacts } from '@app/contracts';
import { parsePage } from '../dom/parse-html.js';
import { extractPage } from '../extract-page.js';
import { surveyPage } from './read-facts.js';

const factsOf = (html: string, contentType = 'text/html'): PageFacts =>
  extractPage(
    { body: Buffer.from(html), contentType, url: 'https://example.com/' },
    { markdown: false, links: false, rawHtml: false },
  ).facts;

describe('the facts of a page', () => {
  it.each<[string, string, Partial<PageFacts>]>([
    ['title', '<title> a\n b </title><svg><title>x</title></svg>', { title: 'a b' }],
    [
      'visible text, blocks apart, and how much of it is links',
      '<p>ab <a href=x>c<b>d</b></a></p><p>e</p><p hidden>no</p><script>no</script>',
      { visibleChars: 5, linkChars: 2, text: 'ab cd e' },
    ],
    [
      'text of noscript, frames in it apart',
      '<noscript>Enable <b>it</b><iframe src=n></iframe><style>x</style></noscript><p>a',
      { noscriptText: 'Enable it', visibleChars: 1, frameSrcs: ['n'] },
    ],
    [
      'scripts that run',
      '<script src=/a.js></script><script type=module>let b</script><script type="application/ld+json">{}</script><script type=text/template><p></script>',
      { scripts: 2, scriptSrcs: ['/a.js'], inlineScripts: ['let b'], inlineScriptChars: 5 },
    ],
    [
      'scripts an optimiser holds back',
      '<script type="ab12-text/javascript" src=x></script>',
      { scripts: 1 },
    ],
    [
      'empty mounts, not those with text',
      '<div id=root></div><div id=app>x</div><app-root><p> </p></app-root><div data-v-app></div>',
      { emptyMounts: ['#root', 'app-root', '[data-v-app]'] },
    ],
    [
      'frames, hidden ones too',
      '<div hidden><iframe src=a></iframe></div><iframe srcdoc="x"></iframe><frame src=b>',
      { frameSrcs: ['a', 'about:srcdoc', 'b'] },
    ],
    [
      'fields for a password, not hidden ones or those for a new one',
      '<input type=PASSWORD name=a><input type=password autocomplete="x current-password"><input type=text><input type=password autocomplete=new-password><div hidden><input type=password></div>',
      { passwordFields: 2 },
    ],
    ['forms', '<form action=/a></form><form></form>', { formActions: ['/a', ''] }],
    [
      'marks of elements and scripts',
      '<p id=a class="b  c\nd"><script id=s></script>',
      { marks: ['#a', '.b', '.c\nd', '#s'] },
    ],
    [
      'pictures and films, not pixels',
      '<img src=a><img width=1 height=1><video></video><noscript><img></noscript>',
      { images: 2 },
    ],
    ['a refresh', '<meta http-equiv=Refresh content="0; URL=\'/a b\'">', { metaRefresh: '/a b' }],
    ['a refresh without url=', '<meta http-equiv=refresh content="3;/x">', { metaRefresh: '/x' }],
    ['a refresh of itself', '<meta http-equiv=refresh content=30>', { metaRefresh: '' }],
    [
      'no refresh of browsers without scripts',
      '<noscript><meta http-equiv=refresh content="0;url=/x"></noscript>',
      { metaRefresh: null },
    ],
    [
      'no refresh that browsers refuse',
      '<meta http-equiv=refresh content=x>',
      { metaRefresh: null },
    ],
  ])('%s', (_, html, facts) => {
    expect(factsOf(html)).toMatchObject(facts);
  });

  it.each([
    ['text/plain', ' a\n b ', 2, 'a b'],
    ['application/json', '{"a": 1}', 7, '{"a": 1}'],
    ['application/xml', '<a>b</a>', 8, '<a>b</a>'],
    ['application/pdf', '%PDF-1.7', 0, ''],
  ])('of %s are its text', (contentType, body, visibleChars, text) => {
    expect(factsOf(body, contentType)).toMatchObject({ visibleChars, text, scripts: 0 });
  });

  it('are bounded, whatever the page', () => {
    const html =
      `<title>${'t'.repeat(9_000)}</title>` +
      `<script src="data:${'x'.repeat(9_000)}"></script>`.repeat(500) +
      `<script>${'y'.repeat(9_000)}</script>`.repeat(500) +
      '<iframe src=a></iframe><form></form>'.repeat(500) +
      `<p id=a class="${'c '.repeat(9_000)}">${'w '.repeat(9_000)}</p>`.repeat(50) +
      '<div id=root></div>'.repeat(500);
    const facts = factsOf(html);
    expect(JSON.stringify(facts).length).toBeLessThan(100_000);
    expect(facts.text).toHaveLength(3_999);
    expect(facts).toMatchObject({ scripts: 1_000, inlineScriptChars: 4_500_000 });
  });
});

describe('holes in the content of a page', () => {
  const namesOf = (html: string): readonly string[] =>
    factsOf(html).holes.map(({ kind, name }) => `${kind} ${name}`);

  it.each<[string, string, number]>([
    [
      'what is outside menus, footers and asides',
      '<nav>ab</nav><p>cd</p><aside>e</aside><footer>f',
      2,
    ],
    ['links below the main heading, not above', '<a href=x>ab</a><h1>c</h1><a href=x>de</a>', 3],
    ['text above the main heading', '<p>abcd</p><h1>e</h1>', 5],
    ['the heading in a header', '<header><nav>ab</nav><h1>cd</h1></header>', 2],
    ['no notice on cookies', '<main>a<div class="cookie-notice">bcd</div></main>', 1],
  ])('the content is %s', (_, html, contentChars) => {
    expect(factsOf(html)).toMatchObject({ contentChars });
  });

  it.each<[string, string, readonly string[]]>([
    [
      'a loading text',
      '<main><div id=a>Loading…</div><p>text of the page</p><img>',
      ['loading #a'],
    ],
    ['a busy part', '<main>text<p aria-busy=true>ab</p><img>', ['busy p']],
    ['a skeleton', '<main>text<div class=skeleton></div><img>', ['skeleton div']],
    ['a head without rows', '<main><table><tr><th>a<th>b</table><img>', ['rows table']],
    ['a frame', '<main>text<iframe src=/a></iframe>', ['frame iframe']],
    ['an element bound to data', '<main>text<p v-html=a></p><img>', ['bound p']],
    ['an element with a name of its own', '<main>text<a-b></a-b><img>', ['element a-b']],
    ['a template not filled in', '<main>text<p>{{ a }}</p><img>', ['bound p']],
    ['an empty element with an id', '<main>text<div id=a></div><img>', ['empty #a']],
    [
      'one that a script names',
      '<main>text<div id=rows></div><img><script>document.getElementById("rows").innerHTML=1</script>',
      ['named #rows'],
    ],
    [
      'one that a script names by its class, before it',
      '<script>$(".a .rows").append(1)</script><main>text<ul class="x rows"></ul><img>',
      ['named ul'],
    ],
    [
      'one that a script names as a variable',
      '<main>text<div id=rows></div><img><script>rows.innerHTML = 1</script>',
      ['named #rows'],
    ],
    ['nothing but a heading', '<h1>Prices</h1>', ['bare ']],
    ['nothing above the main heading', '<div id=a>Loading…</div><main>text<img>', []],
    [
      'nothing in menus, footers and comments',
      '<nav id=n></nav><main>text<img><div class=comments><p id=a></p>',
      [],
    ],
    ['nothing that is hidden', '<main>text<img><div hidden>Loading…</div>', []],
  ])('%s', (_, html, holes) => {
    expect(namesOf(html)).toEqual(holes);
  });

  it('an empty element is not named by a script that writes nothing, or means other things by its name', () => {
    const kindOf = (code: string) =>
      factsOf(`<main>text<div id=rows></div><img><script>${code}</script>`).holes[0]?.kind;
    expect(kindOf('document.getElementById("rows").innerHTML = 1')).toBe('named');
    expect(kindOf('document.querySelector("main > #rows").append(1)')).toBe('named');
    expect(kindOf('log("rows"); document.getElementById("other").innerHTML = 1')).toBe('empty');
    expect(kindOf('document.getElementById("rows").focus()')).toBe('empty');
    expect(kindOf('document.getElementById("rows-2").innerHTML = 1')).toBe('empty');
  });

  it('are bounded, and none on a page with much text', () => {
    const gap = '<p id=a class="b c">Loading…</p><div id=d></div><x-y></x-y>';
    expect(factsOf(`<h1>a</h1>${gap.repeat(300)}`).holes.length).toBe(20);
    expect(factsOf(`<h1>a</h1>${gap}${'text '.repeat(1_000)}`).holes).toEqual([]);
  });
});

describe('hidden text', () => {
  const hiddenIn = (html: string): number => surveyPage(parsePage(html)).hiddenChars;

  it.each<[string, string, number]>([
    ['by attribute', '<p hidden>ab c</p><p aria-hidden=true>de</p>f', 5],
    ['by style', '<p style="display:none">ab</p><p style="opacity:0">c</p>d', 3],
    ['with all that it holds, once', '<div hidden>a<p hidden>b<i>c</i></p>d</div>e', 4],
    ['inside what is no text to read anyway', '<button>x<i hidden>ab</i></button>', 2],
    [
      'not that of scripts, styles, titles and controls',
      '<title>t</title><div hidden><script>a</script><style>b</style></div><select><option>c</select>',
      0,
    ],
    ['not that of noscript', '<noscript><p hidden>ab</p></noscript>', 0],
    ['none', '<p>ab', 0],
  ])('is counted: %s', (_, html, chars) => {
    expect(hiddenIn(html)).toBe(chars);
  });
});
