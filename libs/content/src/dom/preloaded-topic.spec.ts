import { extractPage } from '../extract-page.js';
import { escapeHtmlAttribute } from '../html/escape-html.js';

const markdownOf = (html: string) => {
  const input = {
    body: Buffer.from(html),
    contentType: 'text/html',
    url: 'https://forum.example/t/a/1',
  };
  return extractPage(input, { markdown: true, links: true });
};
const page = (data: unknown, body = '<noscript>Please enable JavaScript.</noscript>') =>
  `<title>Forum</title><body><div class="hidden" id="data-preloaded" data-preloaded="${escapeHtmlAttribute(JSON.stringify(data))}"></div><div id=main></div>${body}`;

const TOPIC = {
  title: 'How to "bake" & <eat>',
  post_stream: {
    posts: [
      {
        username: 'ann',
        name: 'Ann Baker',
        created_at: '2026-05-01T10:00:00Z',
        cooked: '<p>With <a href="/u">flour</a>.</p>',
      },
      {
        username: 'bob',
        name: '',
        created_at: '2026-05-02T10:00:00Z',
        cooked: '<ul><li>salt</ul>',
      },
    ],
  },
};

describe('a topic of a forum that a script would show', () => {
  it('is its posts, with who wrote them and when', () => {
    const { markdown, links } = markdownOf(
      page({ currentUser: 'null', topic_1: JSON.stringify(TOPIC) }),
    );
    expect(markdown).toBe(`# How to "bake" & \\<eat>

**Ann Baker** 2026-05-01

With [flour](https://forum.example/u).

**bob** 2026-05-02

- salt
`);
    expect(links).toEqual(['https://forum.example/u']);
  });

  it('may be a list of topics', () => {
    const topics = [{ id: 7, slug: 'bread', title: 'Bread' }];
    const { markdown } = markdownOf(
      page({ topic_list: JSON.stringify({ topic_list: { topics } }) }),
    );
    expect(markdown).toContain('- [Bread](https://forum.example/t/bread/7)');
  });

  it.each<[string, string]>([
    [
      'of which all is shown already',
      page({ topic_1: JSON.stringify(TOPIC) }, `<p>${'shown by the server '.repeat(40)}`),
    ],
    ['of broken data', page(0).replace('data-preloaded="', 'data-preloaded="{')],
    [
      'of other data',
      page({
        topic_1: '[1]',
        topic_2: 'null',
        topic_list: '{"topic_list":{"topics":{}}}',
        site: TOPIC,
      }),
    ],
    ['of posts that are none', page({ topic_1: JSON.stringify({ post_stream: { posts: 'x' } }) })],
    [
      'of lists with other things in them',
      page({
        topic_1: JSON.stringify({ post_stream: { posts: [null, 1, 'bake'] } }),
        topic_list: JSON.stringify({ topic_list: { topics: [null, 'bake'] } }),
      }),
    ],
  ])('is left alone: %s', (_, html) => {
    expect(markdownOf(html).markdown).not.toContain('bake');
  });
});
