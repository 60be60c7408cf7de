import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { feedToken, readFeedToken, feedFile } from './feed-file.js';

const ID = '0192f7a5-4c1e-7b1d-9c55-8e1f6f0f3a10';
const HOSTILE =
  'a <b>&amp;</b> ]]> "q" \'s\' \u0000\u0008\u000b\u001b\ufffe\uffff\ud800 é 🙂 </item>';

const file = {
  id: ID,
  title: `Rows of ${HOSTILE}`,
  description: HOSTILE,
  url: `https://trawl.example/feeds/x?a=1&b="2"`,
  home: 'https://trawl.example',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  items: [
    { title: HOSTILE, url: 'https://a.example/?a=1&b=2', n: 1 },
    { name: 'Two', url: 'javascript:alert(1)' },
    { other: HOSTILE.repeat(200) },
  ].map((row, at) => ({
    key: `${at}`.repeat(64),
    version: at + 1,
    data: JSON.stringify(row),
    deliveredAt: new Date(Date.UTC(2026, 10, 26 - at)),
  })),
};

describe('a feed as a file', () => {
  it('is RSS 2.0 that another parser reads', () => {
    const feed = parseRssFeed(feedFile(file, 'rss'));
    const [first, second, third] = feed.items ?? [];
    expect(feed.items).toHaveLength(3);
    expect(first?.link).toBe('https://a.example/?a=1&b=2');
    expect(first?.title).toContain('<b>&amp;</b> ]]> "q" \'s\'');
    expect(first?.title).toContain('é 🙂 </item>');
    // For readers the description is HTML: decoded twice, it is the text.
    expect(first?.description).toContain('title: a &lt;b&gt;&amp;amp;&lt;/b&gt; ]]&gt;');
    expect(first?.description).toContain('<br>\nurl: https://a.example/?a=1&amp;b=2');
    expect(second?.title).toBe('Two');
    expect(second?.link).toBeUndefined();
    expect(first?.guid?.value).toBe(`urn:feed:${ID}:${'0'.repeat(32)}:1`);
    expect(new Date(String(third?.pubDate))).toEqual(file.items[2]?.deliveredAt);
  });

  it('is Atom that another parser reads', () => {
    const feed = parseAtomFeed(feedFile(file, 'atom'));
    expect(feed.id).toBe(`urn:uuid:${ID}`);
    expect(feed.entries).toHaveLength(3);
    expect(feed.entries?.[0]?.links?.[0]?.href).toBe('https://a.example/?a=1&b=2');
    expect(new Date(String(feed.updated))).toEqual(file.items[0]?.deliveredAt);
  });

  it('is JSON Feed that another parser reads', () => {
    const feed = parseJsonFeed(feedFile(file, 'json'));
    expect(feed.items).toHaveLength(3);
    expect(feed.items?.[0]?.url).toBe('https://a.example/?a=1&b=2');
    expect(feed.items?.[2]?.content_text?.length).toBeLessThanOrEqual(4_000);
  });

  it.each(['rss', 'atom'] as const)('has no character that %s forbids', (format) => {
    const text = feedFile(file, format);
    expect(text.isWellFormed()).toBe(true);
    expect([...text].filter((one) => one < ' ' && !'\t\n\r'.includes(one))).toEqual([]);
    expect(text).not.toMatch(/[\ufffe\uffff]/);
  });

  it('is valid without rows', () => {
    const empty = { ...file, items: [] };
    expect(parseRssFeed(feedFile(empty, 'rss')).title).toContain('Rows of');
    expect(parseAtomFeed(feedFile(empty, 'atom')).updated).toBe('2026-01-01T00:00:00.000Z');
    expect(parseJsonFeed(feedFile(empty, 'json')).items ?? []).toEqual([]);
  });

  it('has an address that only its signature opens', () => {
    const secret = new Uint8Array(32).fill(1);
    const address = { id: ID, addressVersion: 2 };
    const token = feedToken(address, 'rss', secret);
    expect(readFeedToken(token, secret)).toEqual({ ...address, format: 'rss' });
    expect(readFeedToken(token.replace('.rss', '.atom'), secret)).toEqual({
      ...address,
      format: 'atom',
    });
    const other = token.replace('0192', '0193');
    const renewed = token.replace('.2.', '.3.');
    for (const bad of [
      other,
      renewed,
      `${token}x`,
      token.replace('.rss', '~.rss'),
      token.replace('.rss', '.csv'),
      '',
      'a.b.rss',
    ])
      expect(readFeedToken(bad, secret)).toBeNull();
    expect(readFeedToken(token, new Uint8Array(32))).toBeNull();
  });
});
