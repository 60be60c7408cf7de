import type { Page } from 'playwright';
import { keptCookies } from './cookies.js';
import type { Lifeline } from './lifeline.js';

it('keeps the cookies of the site, however many third parties have set before', async () => {
  const cookie = { name: 's', value: '1', path: '/', expires: -1, sameSite: 'Lax' };
  const domains = [...Array.from({ length: 600 }, (_, n) => `.ad${n}.example`), 'a.example'];
  const cookies = async () => domains.map((domain) => ({ ...cookie, domain }));
  const page = { context: () => ({ cookies }) } as unknown as Page;
  const lifeline = { atMost: (work: unknown) => work } as unknown as Lifeline;
  const kept = await keptCookies({ page, lifeline });
  expect(kept.at(-1)).toMatchObject({ name: 's', domain: 'a.example', sameSite: 'lax' });
});
