import type { PageElement } from './page-element.js';
import { scanTags } from './scan-tags.js';

function eventsOf(html: string): string[] {
  const events: string[] = [];
  scanTags(html, {
    wants: () => true,
    open: ({ name, attributes }: PageElement) =>
      events.push([name, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')),
    close: (name) => events.push(`/${name}`),
    raw: ({ name }, text) => events.push(`${name}: ${text}`),
    isOver: () => false,
  });
  return events;
}

describe('scanTags', () => {
  it.each<[string, string, string[]]>([
    ['a tag', '<p>x</p>', ['p', '/p']],
    [
      'attributes',
      `<a href="/x" Class='b c' data-n=3 hidden>`,
      ['a href=/x class=b c data-n=3 hidden='],
    ],
    ['spaces around', '<a  href = "/x"\n\tid\n=\ny >', ['a href=/x id=y']],
    ['a closed one', '<br/><img src=x/>', ['br', 'img src=x/']],
    ['a > in quotes', '<a title="1 > 0" id=b>', ['a title=1 > 0 id=b']],
    ['the first of equal names', '<a id=1 ID=2>', ['a id=1']],
    ['entities', '<a href="/?a=1&amp;b=2&#x2F;&#47;&copy;">', ['a href=/?a=1&b=2//&copy;']],
    ['letters in either case', '<DIV ID=A></DiV>', ['div id=A', '/div']],
    ['no tags', 'a < b <3 <> </> << </ 3>', []],
    ['a comment', '<!-- <p> --><b>', ['b']],
    ['short comments', '<!--><b><!---><i>', ['b', 'i']],
    ['a comment without end', '<b><!-- <p>', ['b']],
    ['a doctype', '<!doctype html><?xml version="1"?><b>', ['b']],
    [
      'a script',
      '<script>if (a<b) "</p>"</script><b>',
      ['script', 'script: if (a<b) "</p>"', '/script', 'b'],
    ],
    [
      'a script with its end in capitals',
      '<script>x</SCRIPT ><b>',
      ['script', 'script: x', '/script', 'b'],
    ],
    [
      'what only looks like its end',
      '<script>x</scripty></script>',
      ['script', 'script: x</scripty>', '/script'],
    ],
    ['a script without end', '<script>x<b>', ['script', 'script: x<b>']],
    [
      'style and title',
      '<style>a>b{}</style><title><b></title>',
      ['style', 'style: a>b{}', '/style', 'title', 'title: <b>', '/title'],
    ],
    [
      'noscript',
      '<noscript><iframe src=x></iframe></noscript>',
      ['noscript', 'iframe src=x', 'iframe: ', '/iframe', '/noscript'],
    ],
    ['a tag without end', '<b><a href="x" title=', ['b']],
    ['a quote without end', '<b><a href="x>', ['b']],
    ['a name too long', `<${'a'.repeat(70)}>`, ['a'.repeat(64) + ' aaaaaa=']],
  ])('reads %s', (_, html, events) => {
    expect(eventsOf(html)).toEqual(events);
  });

  it('reads at most 100 attributes of a tag', () => {
    const html = `<a ${Array.from({ length: 150 }, (_, index) => `a${index}=1`).join(' ')}><b>`;
    const [first = '', second] = eventsOf(html);
    expect(first.split(' ')).toHaveLength(101);
    expect(second).toBe('b');
  });
});
