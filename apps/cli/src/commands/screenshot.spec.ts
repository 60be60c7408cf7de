import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTrawl, type TrawlRun, type TrawlRunOptions } from '../../test/run-trawl.js';

const URL = 'https://example.com/';

const TAKEN = { url: URL, width: 1280, height: 700, format: 'png', latencyMs: 1, dailyLimit: 9 };
const IMAGE = 'a picture';

describe('trawl screenshot', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'trawl-shot-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const base64 = Buffer.from(IMAGE).toString('base64');
  const shoot = (
    args: readonly string[],
    taken: object = { base64 },
    options: TrawlRunOptions = {},
  ): Promise<TrawlRun> =>
    runTrawl(['screenshot', URL, ...args], {
      ...options,
      routes: {
        'POST /v1/screenshot': () => Response.json({ ...TAKEN, ...taken }),
        'GET /signed': () => new Response(IMAGE),
      },
    });

  it('writes the picture to standard output, or into a file', async () => {
    expect(await shoot([])).toMatchObject({ code: 0, out: IMAGE, err: '' });
    const out = path.join(folder, 'page.png');
    expect(await shoot(['--out', out])).toMatchObject({
      ...{ code: 0, out: '', err: `${URL} → ${out} (1280 × 700)\n` },
    });
    expect(readFileSync(out, 'utf8')).toBe(IMAGE);
  });

  it('downloads a picture from the storage, without the key', async () => {
    const imageUrl = 'http://storage.example/signed?x=1';
    const { code, out, api } = await shoot([], { imageUrl });
    expect([code, out]).toEqual([0, IMAGE]);
    expect(api.calls.at(-1)?.headers.has('x-api-key')).toBe(false);
    const lost = await shoot([], { imageUrl: 'http://storage.example/gone' });
    expect(lost).toMatchObject({
      ...{ code: 1, out: '' },
      err: 'trawl: cannot download the picture: HTTP 404. It is at http://storage.example/gone.\n',
    });
  });

  it('prints the response with --json', async () => {
    const { out } = await shoot(['--json'], {});
    expect(JSON.parse(out)).toEqual(TAKEN);
  });

  it('sends its options', async () => {
    const out = path.join(folder, 'page.JPG');
    const flags = [
      '--no-full-page',
      '--no-scroll',
      '--width',
      '400',
      '--mobile',
      '--wait-for',
      '5',
    ];
    const cookies = '[{"name":"a","value":"b","domain":"example.com"}]';
    const more = ['--element', 'main', '--cookies', cookies, '--out', out];
    const { api } = await shoot([...flags, ...more]);
    expect(api.calls[0]?.body).toEqual({
      ...{
        url: URL,
        fullPage: false,
        scroll: false,
        width: 400,
        mobile: true,
        waitFor: 5,
        element: 'main',
      },
      ...{ cookies, format: 'jpeg' },
    });
    const chosen = await shoot(['--format', 'png', '--out', out]);
    expect(chosen.api.calls[0]?.body).toEqual({
      ...{ url: URL, fullPage: true, scroll: true, format: 'png' },
    });
  });

  it('says that the end of a long page is missing', async () => {
    const { code, err } = await shoot([], { base64, clipped: true });
    expect([code, err]).toEqual([3, expect.stringContaining('its end is missing')]);
  });

  it('requests nothing when there is no place for the picture', async () => {
    const onTerminal = await shoot([], {}, { shown: { output: true } });
    expect([onTerminal.code, onTerminal.api.calls]).toEqual([2, []]);
    expect(onTerminal.err).toContain('Add --out page.png');
    const nowhere = await shoot(['--out', path.join(folder, 'none/page.png')]);
    expect([nowhere.code, nowhere.api.calls]).toEqual([2, []]);
    expect(existsSync(path.join(folder, 'none'))).toBe(false);
  });
});
