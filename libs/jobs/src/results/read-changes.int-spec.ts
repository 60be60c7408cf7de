import { zstdCompressSync } from 'node:zlib';
import { BlobNotFoundError, type BlobStore } from '@app/blobs';
import { FrontierFixture, HOST, linkTo } from '../../test/frontier-fixture.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import { readChanges, type Comparison } from './read-changes.js';

interface Line {
  readonly url: string;
  readonly change: string;
  readonly diff?: string | null;
  readonly changed_lines?: number | null;
  readonly result: { readonly text: string };
}

describe('the lines of what a crawl changes', () => {
  let fixture: FrontierFixture;
  let stored: Map<string, Buffer>;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    stored = new Map();
  });

  const blobs = {
    read: async (key: string) => {
      const bytes = stored.get(key);
      if (bytes === undefined) throw new BlobNotFoundError(key);
      return bytes;
    },
  } as unknown as BlobStore;
  /** Ends the pages of a job that are due; each has a segment of its own. */
  const finish = async (id: string, reasonOf: (n: number) => string | null, links = 0) => {
    const each = (page: ClaimedPage): Partial<PageOutcome> => {
      const n = Number.parseInt(page.urlKey, 16);
      const reason = reasonOf(n);
      const bytes = zstdCompressSync(Buffer.from(JSON.stringify({ text: `${n} of ${id}` })));
      const key = `${id}/${n}`;
      stored.set(key, bytes);
      return { reason, segment: { key, offset: 0, bytes: bytes.length } };
    };
    const found = Array.from({ length: links }, (_, at) => linkTo(at + 1));
    await fixture.finish(await fixture.take(id), { each, links: found });
  };
  /** A crawl of pages 0, 1 and 2, and one since: page 0 is the same, 1 and 2 have changed, 3 is new. */
  const crawled = async () => {
    const base = await fixture.start();
    await finish(base, () => null, 2);
    await finish(base, () => null);
    await fixture.run(`UPDATE jobs SET status = 'completed' WHERE id = '${base}'`);
    const id = await fixture.start({ since: base });
    await finish(id, (n) => (n === 0 ? 'same' : 'changed'), 3);
    await finish(id, () => 'new');
    return { base, id };
  };
  const linesOf = async (id: string, comparison?: Comparison): Promise<Line[]> => {
    const ports = { database: fixture.database, blobs };
    const pieces = await Array.fromAsync(readChanges(ports, id, comparison));
    const text = Buffer.concat(pieces).toString();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  };
  const comparing = (baseId: string): Comparison & { readonly compared: string[][] } => {
    const compared: string[][] = [];
    const compare: Comparison['compare'] = async (before, after) => {
      compared.push([String(before), String(after)]);
      return { changedLines: 4, diff: '-a' };
    };
    return { baseId, compare, compared };
  };
  const shown = (lines: readonly Line[]) =>
    lines.map(({ change, diff, changed_lines: count }) => [change, diff, count]);

  it('compare pages that have changed with the results of the crawl before, and no others', async () => {
    const { base, id } = await crawled();
    const comparison = comparing(base);
    expect(shown(await linesOf(id, comparison))).toEqual([
      ...[1, 2].map(() => ['changed', '-a', 4]),
      ['new', undefined, undefined],
    ]);
    const pair = (n: number) => [base, id].map((job) => `{"text":"${n} of ${job}"}`);
    expect(comparison.compared).toEqual([pair(1), pair(2)]);
    expect(shown(await linesOf(id))).toEqual(
      ['changed', 'changed', 'new'].map((change) => [change, undefined, undefined]),
    );
  });

  it('end with the pages that are gone: why, and where they lead', async () => {
    const { id: base } = await crawled();
    await fixture.run(`UPDATE jobs SET status = 'completed' WHERE id = '${base}'`);
    const id = await fixture.start({ since: base });
    const lost = { segment: null, credits: 0 } as const;
    const ends: Record<number, Partial<PageOutcome>> = {
      0: { reason: 'same' },
      1: { ...lost, state: 'failed', reason: 'gone' },
      2: { reason: 'changed', alias: linkTo(0) },
      3: { ...lost, state: 'failed', reason: 'timeout' },
    };
    const each = ({ urlKey }: ClaimedPage) => ends[Number.parseInt(urlKey, 16)] ?? {};
    await fixture.finish(await fixture.take(id), { each });
    expect(await linesOf(id)).toEqual([
      { op: 'delete', id: linkTo(1).urlKey, url: linkTo(1).url, reason: 'gone' },
      {
        ...{ op: 'delete', id: linkTo(2).urlKey, url: linkTo(2).url, reason: 'duplicate' },
        moved_to: `http://${HOST}/`,
      },
    ]);
  });

  it('say null of pages that cannot be compared', async () => {
    const { base, id } = await crawled();
    const lines = await linesOf(id, { baseId: base, compare: async () => null });
    expect(shown(lines).slice(0, 2)).toEqual([1, 2].map(() => ['changed', null, null]));
  });

  it('say null where the crawl before keeps no result: its row or its document has gone', async () => {
    const { base, id } = await crawled();
    stored.delete(`${base}/1`);
    await fixture.run(
      `DELETE FROM pages WHERE job_id = '${base}' AND url_key = '${linkTo(2).urlKey}'`,
    );
    const comparison = comparing(base);
    const lines = await linesOf(id, comparison);
    expect(shown(lines).slice(0, 2)).toEqual([1, 2].map(() => ['changed', null, null]));
    expect(lines.map(({ result }) => result.text)).toEqual([1, 2, 3].map((n) => `${n} of ${id}`));
    expect(comparison.compared).toEqual([]);
  });

  it('break off when storage fails, instead of saying that there is nothing to compare', async () => {
    const { base, id } = await crawled();
    const compare = () => Promise.reject(new Error('busy'));
    await expect(linesOf(id, { baseId: base, compare })).rejects.toThrow('busy');
  });
});
