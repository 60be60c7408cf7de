import { once } from 'node:events';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { Worker } from 'node:worker_threads';
import { isFullRun } from '../../../../test/setup/full-run.js';
import type { FileResult } from './file-result.js';
import { tinyDocx } from '../docx/fixtures/tiny-docx.js';
import { tinyEpub } from '../epub/fixtures/tiny-epub.js';
import { odfParagraph, tinyOdf } from '../open-document/fixtures/tiny-odf.js';
import { rowOf, tinyXlsx } from '../sheets/fixtures/tiny-xlsx.js';
import { drawnParagraph, slideShape, tinyPptx } from '../slides/fixtures/tiny-pptx.js';
import { drawText, lines, TinyFile, tinyPdf } from '../pdf/fixtures/tiny-pdf.js';

/** Runs the sources in a thread, as they are: swc turns each file into a module as it is requested. */
const BOOTSTRAP = `
const { registerHooks, createRequire } = require('node:module');
const { readFileSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { parentPort, workerData } = require('node:worker_threads');
const { transformSync } = createRequire(workerData.root + '/x.js')('@swc/core');
registerHooks({
  resolve(name, context, next) {
    const alias = /^@app\\/(\\w+)$/.exec(name);
    if (alias) return next(pathToFileURL(workerData.root + '/libs/' + alias[1] + '/src/index.ts').href, context);
    const isOwn = /^\\.{1,2}\\//.test(name) && /\\.ts$/.test(context.parentURL ?? '');
    return next(isOwn ? name.replace(/\\.js$/, '.ts') : name, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const file = fileURLToPath(url);
    const { code } = transformSync(readFileSync(file, 'utf8'), {
      filename: file, swcrc: false, module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' }, transform: { useDefineForClassFields: false } },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
const loaded = import(pathToFileURL(workerData.root + '/libs/content/src/files/read-file.ts').href);
parentPort.on('message', async (bytes) => {
  const { readFile } = await loaded;
  parentPort.postMessage(await readFile(bytes, { maxPages: 50 }));
});
`;

const ROOT = path.resolve(__dirname, '../../../..');

/** Time within which any answer must come, with room for a busy machine. */
const ANSWER_MS = 60_000;

class ReaderThread {
  private worker: Worker;

  constructor(private readonly heapMb: number) {
    this.worker = this.start();
  }

  /** The answer, or how the thread ended; after that a fresh one goes on. */
  async read(bytes: Uint8Array): Promise<FileResult | 'out_of_memory' | 'late'> {
    const { worker } = this;
    const answer = await new Promise<FileResult | 'out_of_memory' | 'late'>((resolve, reject) => {
      const timer = setTimeout(() => resolve('late'), ANSWER_MS);
      const settle = (value: FileResult | 'out_of_memory'): void => {
        clearTimeout(timer);
        resolve(value);
      };
      worker.once('message', settle);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? settle('out_of_memory') : reject(error),
      );
      worker.postMessage(Uint8Array.from(bytes));
    });
    worker.removeAllListeners('message').removeAllListeners('error');
    if (typeof answer === 'string') {
      await this.stop();
      this.worker = this.start();
    }
    return answer;
  }

  stop(): Promise<number> {
    return this.worker.terminate();
  }

  private start(): Worker {
    return new Worker(BOOTSTRAP, {
      eval: true,
      workerData: { root: ROOT },
      resourceLimits: { maxOldGenerationSizeMb: this.heapMb },
    });
  }
}

/** The same numbers on every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Cuts, overwrites, repeats or removes a part. */
function mutant(bytes: Uint8Array, next: () => number): Uint8Array {
  const copy = Buffer.from(bytes);
  const from = Math.floor(next() * copy.length);
  const to = Math.min(copy.length, from + 1 + Math.floor(next() ** 3 * 400));
  switch (Math.floor(next() * 5)) {
    case 0:
      return copy.subarray(0, from);
    case 1:
      copy.fill(Math.floor(next() * 256), from, to);
      return copy;
    case 2:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
    case 3:
      return Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
    default:
      for (let flips = 0; flips < 20; flips++) {
        const place = Math.floor(next() * copy.length);
        copy[place] = (copy[place] ?? 0) ^ (1 << Math.floor(next() * 8));
      }
      return copy;
  }
}

const PAGE = {
  draw:
    drawText(72, 760, 'Tides', 20, 'F2') +
    lines(72, 700, ['High water is at six,', 'low water at noon.']),
  links: [{ rect: [72, 690, 120, 710] as const, uri: 'https://tides.example/' }],
};

/** A page full of letters, each in a place of its own. */
function manyPieces(count: number): string {
  const pieces = Array.from({ length: count }, (_, n) => `1 0 0 1 ${n % 500} ${n % 490} Tm (a) Tj`);
  return `BT /F1 3 Tf\n${pieces.join('\n')}\nET`;
}

/** Runs inflateAtMost alone, on and on. */
const INFLATE_ON = `
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { parentPort, workerData } = require('node:worker_threads');
const { transformSync } = createRequire(workerData.root + '/x.js')('@swc/core');
const file = workerData.root + '/libs/content/src/files/inflate.ts';
const { code } = transformSync(readFileSync(file, 'utf8'), {
  filename: file, swcrc: false, module: { type: 'commonjs' }, jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
});
const unit = { exports: {} };
new Function('exports', 'require', code)(unit.exports, createRequire(file));
parentPort.postMessage('started');
for (;;) unit.exports.inflateAtMost(workerData.packed, { maxBytes: 1000 });
`;

describe('inflateAtMost in a thread that is ended', () => {
  it('leaves the process alive, wherever it was', async () => {
    const packed = deflateSync(Buffer.alloc(100));
    for (let ended = 0; ended < 30; ended++) {
      const worker = new Worker(INFLATE_ON, { eval: true, workerData: { root: ROOT, packed } });
      await once(worker, 'message');
      await worker.terminate();
    }
  });
});

describe('readFile in a thread that may be killed', () => {
  let thread: ReaderThread;
  beforeEach(() => {
    thread = new ReaderThread(256);
  });
  afterEach(() => thread.stop());

  it.each([
    ['a plain PDF', tinyPdf([PAGE, PAGE, PAGE])],
    ['a packed PDF', tinyPdf([PAGE, PAGE], { isPacked: true, title: 'Tides' })],
    ['a DOCX', tinyDocx({ body: '<w:p><w:r><w:t>High water is at six.</w:t></w:r></w:p>' })],
    ['an XLSX', tinyXlsx({ sheets: [{ rows: rowOf(1, 'High water', 6) + rowOf(2, 'Low', 12) }] })],
    ['a PPTX', tinyPptx({ slides: [{ shapes: slideShape(drawnParagraph('High water')) }] })],
    ['an ODT', tinyOdf({ kind: 'text', body: odfParagraph('High water is at six.') })],
    ['an EPUB', tinyEpub({ chapters: { 'a.xhtml': '<p>High water is at six.</p>' } })],
    [
      'an RTF',
      Buffer.from("{\\rtf1{\\fonttbl{\\f0 A;}}{\\b High \\'e4} \\u246 o\\par\\trowd\\cell\\row}"),
    ],
    [
      'a mail',
      Buffer.from(
        'From: a\r\nDate: b\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nHigh\r\n--b--',
      ),
    ],
    ['a table', Buffer.from('a,b\n"1 ""x""",2\n3,4\n')],
  ])('answers for every damaged copy of %s', async (_, bytes) => {
    const next = random(4_711);
    const whole = await thread.read(bytes);
    expect(whole).toMatchObject({ ok: true });
    for (let index = 0; index < (isFullRun ? 100 : 20); index++) {
      const answer = await thread.read(mutant(bytes, next));
      expect(answer).toEqual(expect.objectContaining({ ok: expect.any(Boolean) }));
    }
  });

  it('refuses streams that unpack to gigabytes, packed once or twice, without their memory', async () => {
    const before = process.memoryUsage.rss();
    const packed = deflateSync(Buffer.alloc(300_000_000, 32));
    const twice = deflateSync(deflateSync(packed));
    for (const [data, filter] of [
      [packed, '/Filter /FlateDecode'],
      [twice, '/Filter [/FlateDecode /FlateDecode /FlateDecode]'],
    ] as const) {
      const file = new TinyFile();
      const content = file.add(
        `<< ${filter} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`,
      );
      const tree = content + 2;
      file.add(
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 9 9] /Contents ${content} 0 R >>`,
      );
      file.add(`<< /Type /Pages /Kids [${content + 1} 0 R] /Count 1 >>`);
      file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`);
      const answer = await thread.read(file.finish(`/Root ${tree + 1} 0 R`));
      expect(answer).toMatchObject({ ok: false, problem: 'too_large' });
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(1_000_000_000);
  });

  it('ends a page at the limit of its pieces and reports it', async () => {
    const answer = await thread.read(tinyPdf([{ draw: manyPieces(60_000) }]));
    expect(answer).toMatchObject({ ok: true, file: { truncatedBy: 'max_page_items' } });
  });

  it('costs one thread and not the process when a file takes all its memory', async () => {
    await thread.stop();
    thread = new ReaderThread(24);
    const page = { draw: manyPieces(99_000) };
    expect(await thread.read(tinyPdf([page, page, page]))).toBe('out_of_memory');
  });
});
