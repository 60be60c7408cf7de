import type { FoundLink } from '@app/crawl';
import { KnownLinks } from './known-links.js';

const links = (...keys: string[]): FoundLink[] =>
  keys.map((urlKey) => ({
    urlKey,
    url: `http://a.example/${urlKey}`,
    host: 'a.example',
    depth: 1,
    skip: null,
  }));

describe('KnownLinks', () => {
  it('passes on only links that were not committed before, per job', () => {
    const known = new KnownLinks();
    expect(known.unknown('j', links('a', 'b'))).toHaveLength(2);
    known.add('j', links('a', 'b'));
    expect(known.unknown('j', links('b', 'c')).map((link) => link.urlKey)).toEqual(['c']);
    expect(known.unknown('other', links('b'))).toHaveLength(1);
  });

  it('passes a nofollow link on again once a page vouches for it', () => {
    const known = new KnownLinks();
    const nofollow = links('a').map((link) => ({ ...link, skip: 'nofollow' as const }));
    known.add('j', nofollow);
    expect(known.unknown('j', nofollow)).toEqual([]);
    expect(known.unknown('j', links('a'))).toHaveLength(1);
    known.add('j', links('a'));
    expect(known.unknown('j', links('a'))).toEqual([]);
    expect(known.unknown('j', nofollow)).toEqual([]);
  });

  it('forgets the job that was idle longest, so that memory is bounded', () => {
    const known = new KnownLinks();
    for (let job = 0; job <= 64; job++) known.add(`j${job}`, links('a'));
    expect(known.unknown('j0', links('a'))).toHaveLength(1);
    expect(known.unknown('j64', links('a'))).toHaveLength(0);
  });
});
