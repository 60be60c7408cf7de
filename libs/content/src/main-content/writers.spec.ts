import { mainOf } from './fixtures/article-page.js';

const SAID = [
  'Have you looked at the fuse behind the panel? Mine was loose after the winter, and it made the same noise for weeks before it failed on the first warm day of the year.',
  'I replaced the pump last year, and it cost me less than I expected. The manual shows how to reach it, and the whole work takes about an hour if the screws are not rusty.',
  'Please post the model number, as the older ones have another valve and need a different part from the shop, which they only order when it is paid in advance.',
];
const WHO = ['Marta K', 'old salt', 'Benoît'];
const menu = Array.from({ length: 12 }, (_, n) => `<li><a href=/m${n}>Section ${n}</a></li>`).join(
  '',
);

type Post = (text: string, name: string) => string;
const page = (post: Post, posts = SAID): string =>
  `<title>Pump is loud - Boards</title><body><nav><ul>${menu}</ul></nav><h1>Pump is loud</h1>
<div class="thread">${posts.map((text, n) => post(text, WHO[n] ?? '')).join('')}</div>
<footer><p><a href=/a>Terms</a> <a href=/b>Privacy</a></p></footer>`;

/** The lines of the thread, without its title. */
const linesOf = (html: string): readonly string[] =>
  mainOf(html)
    .split(/\n+/)
    .filter((line) => line !== '' && !line.startsWith('#'));

const card = (inner: string): string =>
  `<aside><div>Joined 2017</div><div>${inner}</div><div>12 posts</div></aside>`;

describe('the writers of a conversation', () => {
  it.each<readonly [string, Post]>([
    [
      'by the class of the name',
      (text, name) =>
        `<div class=post>${card(`<b class="username">${name}</b>`)}<div class=body><p>${text}</p></div></div>`,
    ],
    [
      'by the address of their page',
      (text, name) =>
        `<div class=post>${card(`<a href="/members/${name}.12/">${name}</a>`)}<p>${text}</p></div>`,
    ],
    [
      'as microdata',
      (text, name) =>
        `<div class=post itemscope>${card(`<span itemprop=author>${name}</span>`)}<p>${text}</p></div>`,
    ],
    [
      'in a card that is marked as a whole',
      (text, name) =>
        `<div class=post><aside itemprop="author">${'\n'.repeat(90)}<b class="message-name"><a href="/members/7">${name}</a></b>
         <h5>Member</h5><dl><dt>Joined<dd>2017</dl></aside><p>${text}</p></div>`,
    ],
    [
      'below the post',
      (text, name) =>
        `<div class=post><p>${text}</p>${card(`<span class="author">${name}</span>`)}</div>`,
    ],
  ])('are named beside what they wrote: %s', (_, post) => {
    const lines = linesOf(page(post));
    expect(lines.map((line) => line.replace(/\(https:.*$|[*[\]]/g, '')).sort()).toEqual(
      [...SAID, ...WHO].sort(),
    );
  });

  it('stand before their posts', () => {
    const post: Post = (text, name) =>
      `<div class=post>${card(`<b class="username">${name}</b>`)}<p>${text}</p></div>`;
    expect(linesOf(page(post))).toEqual(SAID.flatMap((text, n) => [`**${WHO[n]}**`, text]));
  });

  it('are not repeated, and need two posts and names of people', () => {
    const shown: Post = (text, name) =>
      `<div class=post>${card(`<b class="username">${name}</b>`)}<p>${name} wrote:</p><p>${text}</p></div>`;
    expect(linesOf(page(shown)).filter((line) => line.includes('salt'))).toHaveLength(1);
    const share: Post = (text) =>
      `<div class=post>${card('<a href="https://s.example/sharer.php?u=https://a.example/">Facebook</a>')}<p>${text}</p></div>`;
    expect(mainOf(page(share))).not.toContain('Facebook');
    const one: Post = (text, name) =>
      `<div class=post>${name === 'old salt' ? card(`<b class="username">${name}</b>`) : ''}<p>${text}</p></div>`;
    expect(mainOf(page(one))).not.toContain('old salt');
  });

  it('are without the votes of their posts, but numbers in data stay', () => {
    const post: Post = (text, name) =>
      `<div class=post><div class="tally">+12</div>${card(`<b class="username">${name}</b>`)}<p>${text}</p>
<table><tr><th>Bar<th>Litres<tr><td>3<td>40</table></div>`;
    const markdown = mainOf(page(post));
    expect(markdown).not.toContain('12');
    expect(markdown).toContain('| 3 | 40 |');
  });

  it('are cut out of whatever is excluded', () => {
    const post: Post = (text, name) =>
      `<div class=post>${card(`<b class="username">${name}</b>`)}<p>${text}</p></div>`;
    expect(mainOf(page(post), ['.username'])).not.toContain('old salt');
  });
});
