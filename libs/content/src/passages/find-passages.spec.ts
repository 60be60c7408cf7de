import { PART_LIMITS, type WantedParts } from '@app/contracts';
import { findPassages } from './find-passages.js';
import { SearchWords } from './search-words.js';

const FILLER =
  'Nothing here is about that matter, and nobody would look for it in this place. '.repeat(5);
const PAGE = `# Handbook

${FILLER}

## Shipping

Parcels are sent on working days. **Delivery** takes three days within the country, and a week abroad; a signature is asked for when
something is worth more than a hundred euros. ${FILLER}

## Returns

### Deadline

Goods can be [returned](http://shop.example/delivery/shipping) within thirty days of their arrival. ${FILLER}

### Costs

| From | Price |
| --- | --- |
| Austria | 4 euros |
| France | 9 euros |

\`\`\`js
const maxReturnDays = 30;
\`\`\`
`;

const find = (
  query: string,
  more: Partial<NonNullable<WantedParts['passages']>> & { language?: string } = {},
) => {
  const { language, max = 3 } = more;
  return findPassages({ markdown: PAGE, url: 'http://a.example/b', language }, { query, max });
};

describe('passages of a page', () => {
  it.each([
    ['How long does delivery take?', ['Handbook', 'Shipping']],
    ['how many days to return goods', ['Handbook', 'Returns', 'Deadline']],
    ['PRICE FRANCE', ['Handbook', 'Returns', 'Costs']],
    ['max return days', ['Handbook', 'Returns', 'Costs']],
    ['returns costs', ['Handbook', 'Returns', 'Costs']],
  ])('answer %s', (query, headings) => {
    expect(find(query)[0]).toMatchObject({ headings });
  });

  it('have their place in the Markdown, and an address that leads to it', () => {
    const [best] = find('signature worth euros');
    expect(PAGE.slice(best?.start, best?.end)).toBe(best?.text);
    expect(best?.text).toMatch(/^## Shipping\n\nParcels/);
    expect(best?.url).toBe('http://a.example/b#:~:text=Shipping,for%20it%20in%20this%20place.');
  });

  it('are none when no word is there, or there are no words', () => {
    expect(find('zebra crossing')).toEqual([]);
    expect(find('… ?!')).toEqual([]);
    expect(
      findPassages({ markdown: '', url: 'http://a.example/' }, { query: 'a', max: 5 }),
    ).toEqual([]);
  });

  it('are at most as many as asked for, the best first', () => {
    const found = find('days', { max: 2 });
    expect(found).toHaveLength(2);
    expect(found[0]?.score).toBeGreaterThanOrEqual(found[1]?.score ?? Infinity);
    expect(find('nothing', { max: PART_LIMITS.passages.most }).length).toBeGreaterThan(2);
  });

  it('do not count the words of addresses', () => {
    expect(find('shipping delivery').map(({ headings }) => headings.at(-1))).not.toContain(
      'Deadline',
    );
  });

  it.each([
    ['a sentence', 'One more sentence of it. '.repeat(1_000)],
    ['a row', `| a |\n| --- |\n${'| needle in a row |\n'.repeat(1_000)}`],
    ['a line of code', `\`\`\`\n${'needle();\n'.repeat(2_000)}\`\`\`\n`],
    ['a line without an end', `needle${'x'.repeat(20_000)}`],
    ['letters without spaces', '針の山。針山'.repeat(5_000)],
    ['pairs of units', `針山x${'\ud83d\ude00'.repeat(5_000)}`],
  ])('are cut at %s', (_, markdown) => {
    const query = { query: 'needle sentence 針山', max: PART_LIMITS.passages.most };
    const found = findPassages({ markdown, url: 'http://a.example/' }, query);
    for (const { text, start, end } of found) {
      expect(text.length).toBeLessThanOrEqual(1_500);
      expect(markdown.slice(start, end)).toBe(text);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ['text first', 'Dash-ed, & more', 'http://a.example/', '#:~:text=Dash%2Ded%2C%20%26%20more'],
    ['a fragment', 'Some words', 'http://a.example/#top', ':~:text=Some%20words'],
    ['a list', '- [One](http://b.example/)\n- two', 'http://a.example/', '#:~:text=One,two'],
  ])('have a text directive for %s', (_, markdown, url, end) => {
    const [found] = findPassages({ markdown, url }, { query: 'dash some one', max: 1 });
    expect(found?.url).toBe(url + end);
  });
});

describe('words of a search', () => {
  it.each([
    ['en', 'Returned returning', ['return', 'return']],
    ['de-AT', 'Häuser Haus', ['haus', 'haus']],
    ['fr', 'été', ['ete']],
    ['xx', 'Returned', ['returned']],
    ['ja', '東京都', ['東京', '京都']],
    ['th', 'ที่', ['ที', '\u0e35\u0e48']],
    ['en', 'maxPages', ['maxpag', 'max', 'page']],
    ['en', 'x'.repeat(65), []],
  ])('in %s: %s', (language, text, words) => {
    expect([...new SearchWords(language).of(text)]).toEqual(words);
  });
});
