import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { openBlobStore, type BlobStore } from '@app/blobs';
import { resultRows } from '../results/finish-job.js';
import { type ClaimedPage } from '../frontier/claim-pages.js';
import { type Database } from '@app/database';
import { createLogger, Metrics } from '@app/telemetry';
import { FrontierFixture, linkTo } from '../../test/frontier-fixture.js';
import { ending, type PageEnding } from './page-ending.js';
import { ResultWriter } from './result-writer.js';

const NEVER = new AbortController().signal;

/** How a transaction ends that does not go well. */
type Try = 'refused' | 'answer lost';

describe('segments of results while the database is away', () => {
  let fixture: FrontierFixture;
  let folder: string;
  let blobs: BlobStore;

  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.run('TRUNCATE jobs, hosts, outbox CASCADE');
    folder = await mkdtemp(path.join(os.tmpdir(), 'result-segments-'));
    blobs = openBlobStore({
      url: pathToFileURL(folder).href,
      publicUrl: 'http://127.0.0.1:1',
      downloadSecret: new Uint8Array(32),
    });
  });
  afterEach(async () => {
    await blobs.close();
    await rm(folder, { recursive: true, force: true });
  });

  function writerOver(tries: readonly Try[], onFailed: () => void = () => undefined): ResultWriter {
    const left = [...tries];
    const transaction: Database['transaction'] = async (work) => {
      const next = left.shift();
      const result = next === 'refused' ? null : await fixture.database.transaction(work);
      if (next === undefined) return result as Awaited<ReturnType<typeof work>>;
      onFailed();
      throw new Error(`connection lost: ${next}`);
    };
    return new ResultWriter({
      database: { transaction } as unknown as Database,
      blobs,
      metrics: new Metrics(),
      log: createLogger({ level: 'silent', component: 'spec' }),
      hostWindow: { start: 100, max: 100 },
      inWork: () => 4,
    });
  }

  const scraped = (page: ClaimedPage): PageEnding => ({
    ...ending(page, { state: 'scraped', reason: null }, { signal: { kind: 'silent' }, credits: 1 }),
    document: documentOf(page),
  });
  const documentOf = ({ url }: ClaimedPage): string => JSON.stringify({ url });

  async function twoPages(): Promise<[ClaimedPage, ClaimedPage]> {
    const jobId = await fixture.start();
    const [first, second] = await fixture.seeded(jobId, [linkTo(1), linkTo(2)]);
    if (!first || !second) throw new Error('no pages');
    return [first, second];
  }

  async function stored(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of blobs.list('jobs/')) keys.push(key);
    return keys;
  }

  /** The documents that the job's rows refer to, read as a reader does. */
  async function results(jobId: string): Promise<string[]> {
    const rows = (await resultRows(fixture.database, jobId, 0, 10)).filter(
      ({ key }) => key !== 's',
    );
    return Promise.all(
      rows.map(async ({ key, offset, bytes }) => {
        const frame = await blobs.read(key, { offset, length: bytes }, 10_000);
        return zstdDecompressSync(frame).toString();
      }),
    );
  }

  it.each<[string, Try[]]>([
    ['does not answer for a while', ['refused', 'refused', 'refused']],
    ['commits but its answer is lost', ['answer lost']],
    ['commits unheard after it was away, and is away again', ['refused', 'answer lost', 'refused']],
  ])('a database that %s leaves one segment, with every document', async (_, tries) => {
    const pages = await twoPages();
    const writer = writerOver(tries);
    await Promise.all(pages.map((page) => writer.write(scraped(page), NEVER)));
    expect((await results(pages[0].jobId)).toSorted()).toEqual(pages.map(documentOf).toSorted());
    expect(await stored()).toHaveLength(1);
  });

  it('a page whose lease is lost between two tries is left out; the others are found at their offsets', async () => {
    const pages = await twoPages();
    const lost = new AbortController();
    const writer = writerOver(['refused'], () => lost.abort(new Error('lease lost')));
    await Promise.all([
      writer.write(scraped(pages[0]), lost.signal),
      writer.write(scraped(pages[1]), NEVER),
    ]);
    expect(await results(pages[0].jobId)).toEqual([documentOf(pages[1])]);
    expect(await stored()).toHaveLength(1);
  });

  it('a segment of pages that are all another worker’s by now is deleted', async () => {
    const pages = await twoPages();
    await fixture.run('UPDATE pages SET fence = fence + 1');
    const writer = writerOver([]);
    await Promise.all(pages.map((page) => writer.write(scraped(page), NEVER)));
    expect(await results(pages[0].jobId)).toEqual([]);
    expect(await stored()).toEqual([]);
  });
});
