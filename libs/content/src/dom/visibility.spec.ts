import { type Document, type Element } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { parseHtml } from './parse-html.js';
import { countHiddenInk, isHidden, isUnseen } from './visibility.js';

const first = (html: string): Element => parseHtml(html).children[0] as Element;

describe('isHidden', () => {
  it.each([
    '<p hidden>x</p>',
    '<p hidden="">x</p>',
    '<p aria-hidden="true">x</p>',
    '<div aria-hidden="true">x</div><p>y</p>',
    '<div class="modal" aria-hidden="true"><h1>x</h1></div>',
    '<div role="dialog" aria-hidden="true"><h1>x</h1></div>',
    '<div class="slide clone" aria-hidden="true"><article>x</article></div>',
    '<div role="tabpanel" style="position:absolute;left:-9999px">x</div>',
    '<div role="region" style="display:none;font-size:0">x</div>',
    '<dialog>x</dialog>',
    '<p style="display:none">x</p>',
    '<p style="color:red; DISPLAY : NONE !important">x</p>',
    '<p style="visibility:hidden">x</p>',
    '<p style="visibility: collapse">x</p>',
    '<p style="content-visibility:hidden">x</p>',
    '<p style="opacity:0">x</p>',
    '<p style="opacity: 0.0">x</p>',
    '<p style="font-size:0">x</p>',
    '<p style="font-size: 0px">x</p>',
    '<p style="position:absolute;left:-9999px">x</p>',
    '<p style="position: fixed; top: -999em">x</p>',
    '<p style="text-indent:-9999px">x</p>',
    '<p style="margin-left:-10000px">x</p>',
    '<p style="transform:translateX(-9999px)">x</p>',
    '<p style="position:absolute;clip:rect(0 0 0 0)">x</p>',
    '<p style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">x</p>',
    '<p style="clip-path:inset(50%)">x</p>',
    '<p style="height:0;overflow:hidden">x</p>',
    '<p style="max-height:0px;overflow:hidden">x</p>',
    '<p style="width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;border:0">x</p>',
  ])('finds %s invisible', (html) => {
    expect(isHidden(first(html))).toBe(true);
    expect(isUnseen(first(html))).toBe(true);
  });

  it.each([
    ['found by a search', '<p hidden="until-found">x</p>'],
    ['not hidden', '<p aria-hidden="false">x</p>'],
    ['the page behind an open dialog', '<div id="root" aria-hidden="true">x</div>'],
    ['the page behind, by its heading', '<div aria-hidden="true"><p>a</p><h1>x</h1></div>'],
    ['the page behind, by its article', '<app-x aria-hidden="true"><article>x</article></app-x>'],
    ['the page behind, as all there is', '<div id="page" aria-hidden="true">x</div>'],
    ['the page behind, of its own making', '<app-root aria-hidden="true">x</app-root>'],
    [
      'the page behind, beside the dialog',
      '<div aria-hidden="true">x</div><div><div role="dialog">y</div></div>',
    ],
    ['a tab', '<div role="tabpanel" hidden>x</div>'],
    ['a tab, hidden by style', '<div role="tabpanel" style="display:none">x</div>'],
    ['an answer', '<div role="region" hidden>x</div>'],
    ['an answer, folded', '<div role="region" style="max-height:0;overflow:hidden">x</div>'],
    ['an open dialog', '<dialog open>x</dialog>'],
    ['about to fade in', '<p style="opacity:0;transform:translateY(20px)">x</p>'],
    ['about to fade in, by Webflow', '<p style="opacity:0" data-w-id="1">x</p>'],
    ['about to fade in, by a class', '<p class="wow fadeIn" style="visibility:hidden">x</p>'],
    ['half transparent', '<p style="opacity:0.5">x</p>'],
    ['a menu beside the screen', '<p style="position:absolute;left:-300px">x</p>'],
    ['where left says nothing', '<p style="left:-9999px">x</p>'],
    ['indented the other way', '<p style="text-indent:-2em">x</p>'],
    ['flat, but its text flows over', '<p style="height:0">x</p>'],
    ['a frame for a film', '<p style="height:0;padding-bottom:56.25%;overflow:hidden">x</p>'],
    ['a line without gaps', '<p style="font-size:0"><span style="font-size:14px">x</span></p>'],
    ['named like it', '<p style="background:url(none.png);max-width:100px">x</p>'],
  ])('sees that readers see what is %s', (_, html) => {
    expect(isHidden(first(html))).toBe(false);
  });
});

describe('a panel that its title unfolds', () => {
  const panelOf = (html: string): Element =>
    DomUtils.getElementById('p', parseHtml(html).children) ?? first(html);
  const ANSWER = 'Parcels are sent on the day they are ordered, but for Sundays and holidays.';

  it.each([
    [
      'a heading with a button',
      `<h3><button aria-expanded="false">When?</button></h3> <div id=p hidden>${ANSWER}</div>`,
    ],
    ['short', '<h3><button aria-expanded="false">Size</button></h3><div id=p hidden>40 cm</div>'],
    [
      'links',
      '<h2 aria-expanded="false">Help</h2><ul id=p aria-hidden="true"><li><a href=/c>Contact</a></ul>',
    ],
    [
      'a term',
      '<dl><dt><button aria-controls="p">When?</button></dt><dd id=p hidden>Today</dd></dl>',
    ],
    [
      'below a summary',
      `<details><summary>When?</summary><div id=p aria-hidden="true">${ANSWER}</div></details>`,
    ],
    [
      'folded',
      `<div><h3 aria-controls="p">When?</h3></div><div id=p style="height:0;overflow:hidden">${ANSWER}</div>`,
    ],
    [
      'a button alone',
      `<button aria-expanded="false">When?</button><div id=p aria-hidden="true"><p>${ANSWER}</p></div>`,
    ],
    [
      'animated',
      `<h3><button aria-expanded="false">When?</button></h3><div aria-hidden="true" style="height:0;overflow:hidden"><div id=p style="display:none">${ANSWER}</div></div>`,
    ],
  ])('is read: %s', (_, html) => {
    expect(isHidden(panelOf(html))).toBe(false);
  });

  it.each([
    ['after a heading without a switch', `<h3>When?</h3><div id=p hidden>${ANSWER}</div>`],
    [
      'after words',
      `<h3><button aria-expanded="false">When?</button></h3> and <div id=p hidden>${ANSWER}</div>`,
    ],
    [
      'a menu',
      '<button aria-expanded="false">Menu</button><ul id=p hidden><li><a href=/a>Our shops. All of them.</a><li><a href=/b>Everything that we have ever sold.</a></ul>',
    ],
    [
      'a search',
      `<button aria-controls="p">Search</button><div id=p hidden><form><p>${ANSWER}</p><input></form></div>`,
    ],
    [
      'a list of choices',
      `<h3><button aria-expanded="false">When?</button></h3><div id=p role="listbox" hidden>${ANSWER}</div>`,
    ],
    [
      'a trick',
      `<h3><button aria-expanded="false">When?</button></h3><div id=p style="position:absolute;left:-9999px">${ANSWER}</div>`,
    ],
  ])('is none: %s', (_, html) => {
    expect(isHidden(panelOf(html))).toBe(true);
  });
});

describe('the page behind a dialog', () => {
  const shownIn = (page: Document): boolean[] =>
    DomUtils.findAll(
      (element) => element.attribs['aria-hidden'] === 'true',
      [...page.children],
    ).map((element) => !isHidden(element));
  const shown = (html: string): boolean[] => shownIn(parseHtml(html));

  it('is found below the body and a mount', () => {
    const page = '<div class="layout" aria-hidden="true">x</div>';
    expect(shown(`<body><div id="app">${page}</div><script></script>`)).toEqual([true]);
    expect(shown(`<body><div id="x"><p>y</p>${page}</div>`)).toEqual([false]);
  });

  it('is found where many elements are hidden around a heading', () => {
    const page = '<div aria-hidden="true">'.repeat(400) + '<h1>x</h1>'.repeat(20_000);
    expect(shown(page)).toEqual(Array.from({ length: 400 }, () => true));
  });
});

describe('countHiddenInk', () => {
  it('counts what is hidden once, and nothing that is no text', () => {
    const html =
      '<head><title>no</title></head><script>no</script><p>seen</p>' +
      '<div hidden>a b<p style="display:none">c</p><style>no</style></div><button>no</button>' +
      '<span style="opacity:0">d</span>';
    expect(countHiddenInk(parseHtml(html))).toBe(4);
  });

  it('is zero for a page without', () => {
    expect(countHiddenInk(parseHtml('<p>a</p>'))).toBe(0);
  });
});
