import { Deadline } from '@app/contracts';
import { pdfOf } from '@app/testing';
import { FileReader, type FileReaderOptions, type FileReadTerms } from './file-reader.js';

/** Of CPU time: below and above the 300 ms of a document that takes a while. */
const SHORT_MS = 100;
const MAX_MS = 400;

/** The thread does what the first byte says: see hanging-file.mjs. */
const file = (byte: number, bytes = 1) => new Uint8Array(bytes).fill(byte);
const HANGS = 1;
const TAKES_A_WHILE = 2;
const IS_QUICK = 0;

/** Two million operators in 200 KB; numbers among them keep it from being unpacked as a bomb. */
const HOSTILE_PDF = pdfOf(['x'], {
  operators: Array.from(
    { length: 20_000 },
    (_, n) => `${'q '.repeat(100)}${Math.imul(n, 2_654_435_761) >>> 0} w`,
  ).join('\n'),
});

const terms = (tenantId: string, over: Partial<FileReadTerms> = {}): FileReadTerms => ({
  deadline: Deadline.after(3_600_000),
  outputs: {},
  url: 'http://a.example/file',
  allowVision: false,
  crawl: null,
  tenantId,
  ...over,
});

describe('the file threads', () => {
  let reader: FileReader;
  const open = (over: Partial<FileReaderOptions>): FileReader =>
    new FileReader({
      threads: 1,
      maxPages: 10,
      models: null,
      hasVision: false,
      budgetMicroUsd: 0,
      cache: null,
      ...over,
    });
  beforeEach(() => {
    const module = new URL('../../test/hanging-file.mjs', import.meta.url);
    reader = open({ cpu: { maxMs: MAX_MS, shortMs: SHORT_MS }, module });
  });
  afterEach(() => reader.close());

  const kindOf = async (byte: number, tenantId: string, over: Partial<FileReadTerms> = {}) => {
    const outcome = await reader.read(file(byte), terms(tenantId, over));
    return outcome.ok ? outcome.file.text : outcome.problem;
  };

  it('end a document that hangs once its CPU time is used up, and say so', async () => {
    const outcome = await reader.read(file(HANGS), terms('a'));
    expect(outcome).toMatchObject({ ok: false, problem: 'max_cpu' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('0.4 s of CPU time'));
  });

  it('read a small document that takes longer than a short one', async () => {
    expect(await kindOf(TAKES_A_WHILE, 'a')).toBe('read');
  });

  it('read a short document of a tenant while those of others hang, in both threads', async () => {
    await reader.close();
    const module = new URL('../../test/hanging-file.mjs', import.meta.url);
    // They hang for longer than a busy machine takes to start a thread.
    reader = open({ cpu: { maxMs: 60_000, shortMs: SHORT_MS }, module });
    const order: string[] = [];
    const read = async (byte: number, tenantId: string) =>
      order.push(`${tenantId} ${await kindOf(byte, tenantId)}`);
    const attack = Promise.allSettled(['a', 'b', 'a', 'b'].map((one) => read(HANGS, one)));
    await read(IS_QUICK, 'c');
    expect(order).toEqual(['c read']);
    await reader.close();
    await attack;
  });

  it('end all documents that hang, of several tenants', async () => {
    const attack = ['a', 'b', 'a', 'b'].map((tenantId) => kindOf(HANGS, tenantId));
    expect(await Promise.all(attack)).toEqual(Array(4).fill('max_cpu'));
  });

  it('of crawls are others', async () => {
    const crawl = { crawl: {} as FileReadTerms['crawl'] };
    const hanging = Promise.all([kindOf(HANGS, 'a', crawl), kindOf(HANGS, 'b', crawl)]);
    expect(await kindOf(TAKES_A_WHILE, 'c')).toBe('read');
    expect(await hanging).toEqual(['max_cpu', 'max_cpu']);
  });

  it('read a short PDF of a tenant before those of another that have two million operators', async () => {
    await reader.close();
    const module = new URL('../../test/file-thread.mjs', import.meta.url);
    reader = open({ cpu: { maxMs: 60_000, shortMs: 1_000 }, module });
    const order: string[] = [];
    const read = async (tenantId: string, body: Buffer) => {
      const outcome = await reader.read(new Uint8Array(body), terms(tenantId));
      order.push(`${tenantId} ${outcome.ok ? 'read' : outcome.problem}`);
    };
    const attack = Promise.allSettled([read('a', HOSTILE_PDF), read('a', HOSTILE_PDF)]);
    await read('b', pdfOf(['Minutes of the meeting']));
    expect(order).toEqual(['b read']);
    await reader.close();
    await attack;
  });
});
