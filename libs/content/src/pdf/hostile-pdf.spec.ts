import { deflateSync } from 'node:zlib';
import { readFile } from '../files/read-file.js';
import { drawText, lines, tinyPdf, TinyFile } from './fixtures/tiny-pdf.js';
import { renderPdfPages } from './render-pages.js';

const SIMPLE = lines(72, 700, ['The tide comes in at six and goes out', 'at noon.']);
const TEXT = 'The tide comes in at six and goes out at noon.';

/** The bytes with a part of them replaced, whatever that does to the offsets. */
function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1');
}

/** A page whose content is the given stream. */
function withContent(content: (file: TinyFile) => number, resources = '<< >>'): Uint8Array {
  const file = new TinyFile();
  const tree = file.reserve();
  const stream = content(file);
  const page = file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 500 500] /Resources ${resources} /Contents ${stream} 0 R >>`,
  );
  file.set(tree, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  return file.finish(`/Root ${file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`)} 0 R`);
}

const spaces = (count: number): Buffer => Buffer.alloc(count, 32);

/** A page of a packed stream, drawn once or more often. */
function bombOf(content: Buffer, filters: string, times = 1): Uint8Array {
  const file = new TinyFile();
  const tree = file.reserve();
  const data = deflateSync(content).toString('latin1');
  const stream = file.add(
    `<< /Filter ${filters} /Length ${data.length} >>\nstream\n${data}\nendstream`,
  );
  const contents = Array.from({ length: times }, () => `${stream} 0 R`).join(' ');
  const page = file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 9 9] /Contents [${contents}] >>`,
  );
  file.set(tree, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  return file.finish(`/Root ${file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`)} 0 R`);
}

describe('a PDF that is damaged', () => {
  const good = tinyPdf([{ draw: SIMPLE }]);

  it.each<[string, Uint8Array]>([
    ['has its cross references elsewhere', replaced(good, 'startxref\n', 'startxref\n9')],
    ['has no cross references', replaced(good, 'xref\n0', 'nope\n0')],
    ['has garbage before its header', Buffer.concat([Buffer.alloc(900, 'x\n'), good])],
    ['ends in the middle of its cross references', good.subarray(0, good.length - 200)],
    ['has garbage after its end', Buffer.concat([good, Buffer.alloc(5_000, 0xfe)])],
    ['counts a billion pages', replaced(good, '/Count 1', '/Count 1000000000')],
    ['names no root', replaced(good, '/Root', '/Route')],
    ['has a stream that is longer than the file', replaced(good, '/Length 1', '/Length 999991')],
  ])('is read when it %s', async (_, bytes) => {
    expect(await readFile(bytes)).toMatchObject({ ok: true, file: { text: TEXT } });
  });

  it.each<[string, Uint8Array]>([
    ['is a header alone', Buffer.from('%PDF-1.7\n')],
    [
      'is a header and noise',
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(50_000, 0x3c)]),
    ],
    ['counts no pages', replaced(good, '/Count 1', '/Count 0')],
    ['has no pages', new TinyFile().finish('/Root 1 0 R')],
    [
      'has a page tree that is its own child',
      replaced(good, '/Kids [', '/Kids [1 0 R 1 0 R] /Old ['),
    ],
  ])('is malformed when it %s', async (_, bytes) => {
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'malformed' });
    expect(await renderPdfPages(bytes, { maxPages: 1, maxEdgePx: 50 })).toMatchObject({
      ok: false,
    });
  });

  it('is encrypted when only a password opens it', async () => {
    const key = '0'.repeat(64);
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`;
    const bytes = tinyPdf([{ draw: SIMPLE }], { trailer: encrypt });
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'encrypted' });
  });

  it('loses a page and reports it', async () => {
    const bytes = tinyPdf([{ draw: SIMPLE }, { draw: drawText(72, 700, 'Lost.') }]);
    const text = Buffer.from(bytes).toString('latin1');
    const broken = text.replace(/\/Kids \[(\d+) 0 R (\d+)/, '/Kids [$1 0 R 9999');
    const result = await readFile(Buffer.from(broken, 'latin1'));
    expect(result).toMatchObject({
      ok: true,
      file: { text: TEXT, truncatedBy: 'unreadable_pages' },
    });
  });
});

describe('a PDF that means harm', () => {
  it('draws itself inside itself', async () => {
    const bytes = withContent((file) => {
      const form = file.reserve();
      const body = 'BT /F1 10 Tf 50 50 Td (Again) Tj ET /X Do';
      file.set(
        form,
        `<< /Type /XObject /Subtype /Form /BBox [0 0 500 500] /Resources << /XObject << /X ${form} 0 R >> >> /Length ${body.length} >>\nstream\n${body}\nendstream`,
      );
      return file.stream('', 'BT /F1 10 Tf 50 90 Td (Start) Tj ET /X Do');
    }, '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 2 0 R >> >>');
    const result = await readFile(bytes);
    expect(result.ok ? result.file.text : result.problem).toMatch(/Start|malformed|no_text/);
  });

  it('nests a hundred thousand arrays', async () => {
    const bytes = withContent((file) => file.stream('', `${'['.repeat(100_000)} TJ`));
    expect(await readFile(bytes)).toMatchObject({ ok: false });
  });

  it.each<[string, Uint8Array]>([
    ['unpacks a small stream to a hundred megabytes', bombOf(spaces(100_000_000), '/FlateDecode')],
    [
      'unpacks a stream that is packed twice',
      bombOf(deflateSync(spaces(100_000_000)), '[/FlateDecode /FlateDecode]'),
    ],
    ['packs a stream many times over', bombOf(spaces(100), `[${'/FlateDecode '.repeat(9)}]`)],
    ['unpacks a stream to a thousand times its size', bombOf(spaces(6_000_000), '/FlateDecode')],
    ['draws one stream a thousand times', bombOf(spaces(1_000), '/FlateDecode', 1_000)],
  ])('is too large when it %s', async (_, bytes) => {
    expect(bytes.length).toBeLessThan(200_000);
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'too_large' });
  });

  it('may be well packed', async () => {
    const draw = `${SIMPLE}${'% a comment of the page\n'.repeat(80_000)}`;
    const result = await readFile(tinyPdf([{ draw }], { isPacked: true }));
    expect(result).toMatchObject({ ok: true, file: { text: TEXT } });
  });
});

describe('renderPdfPages', () => {
  it('draws pages as PNG with the requested longer edge', async () => {
    const bytes = tinyPdf([{ draw: SIMPLE, width: 200, height: 400 }, { draw: SIMPLE }]);
    const drawn = await renderPdfPages(bytes, { maxPages: 1, maxEdgePx: 100 });
    if (!drawn.ok) throw new Error(drawn.message);
    expect(drawn.pages.map(({ page }) => page)).toEqual([1]);
    const png = Buffer.from(drawn.pages[0]?.png ?? []);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([50, 100]);
  });
});
