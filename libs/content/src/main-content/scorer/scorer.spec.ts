import { mainOf } from '../fixtures/article-page.js';
import { readablePage } from '../../readable-page.js';
import { mainContentTexts } from '../find-main-content.js';
import { MODEL_TABLE, scorerModel } from './tree-model.js';

const REPLIES = [
  'Have you looked at the fuse behind the panel? Mine was loose after the winter and it made the same noise for weeks.',
  'I replaced the pump last year, and it cost me less than I expected. The manual shows how to reach it.',
  'Please post the model number, as the older ones have another valve and need a different part from the shop.',
];

const menu = Array.from({ length: 12 }, (_, n) => `<li><a href=/m${n}>Section ${n}</a></li>`).join(
  '',
);
const post = (text: string, n: number): string =>
  `<div class="message"><div class="user-card"><a href=/u${n}>user${n}</a></div><div class="message-body"><p>${text}</p></div></div>`;
const forum = `<title>Pump is loud - Boards</title><body><div class="top-list"><ul>${menu}</ul></div>
<h1>Pump is loud</h1><div class="thread">${REPLIES.map(post).join('')}</div>
<div class="legal"><p><a href=/a>Terms</a> <a href=/b>Privacy</a> <a href=/c>Help</a></p></div>`;

describe('the scorer of texts', () => {
  it('keeps what people say on a page that does not say that it is a forum, and drops what the site says', () => {
    const markdown = mainOf(forum);
    for (const reply of REPLIES) expect(markdown).toContain(reply.slice(0, 40));
    expect(markdown).not.toContain('Section 3');
    expect(mainOf(forum)).toBe(markdown);
  });

  it('compares as many numbers as a text has', () => {
    const { rows, units } = mainContentTexts(readablePage(forum, 'https://example.com/'));
    expect(rows.length).toBe(units.length * scorerModel().width);
    expect(rows.every(Number.isFinite)).toBe(true);
    const scores = units.map((_, at) => scorerModel().score(rows, at * scorerModel().width));
    const of = (text: string): number =>
      scores[units.findIndex((unit) => unit.text.includes(text))] ?? 0;
    expect(of('fuse')).toBeGreaterThan(of('Section 3'));
  });

  it('is a table of less than 200 KB', () => {
    expect(MODEL_TABLE.length).toBeLessThan(200_000);
  });

  it('leaves a page of thousands of texts to the rules', () => {
    const page = `<main>${'<p>a b</p>'.repeat(6_000)}</main>`;
    expect(mainOf(page).match(/a b/g)).toHaveLength(6_000);
  });
});
