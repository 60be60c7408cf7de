import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SETTING_GROUPS, type Field } from '@app/config';
import { CLIENT_VERSION } from '@app/client';
import { API_ERRORS } from '@app/contracts';
import { parseSigningKeys } from '@app/egress';
import { VERSION } from '@app/runtime';
import { botKeyId } from '../libs/egress/test/verify-bot.js';

const ROOT = path.resolve(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const DOCS = readdirSync(path.join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'examples/README.md',
  'charts/trawl/README.md',
  ...DOCS,
];

/** What links to headings of a document name them by. */
function anchorsOf(document: string): string[] {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The tables as docs/settings.md shows them, under their headings. */
function settingsTables(): string {
  return Object.entries<Record<string, Field<unknown>>>(SETTING_GROUPS)
    .map(([title, settings]) => `## ${title}\n\n${settingsTable(Object.values(settings))}`)
    .join('\n\n');
}

function settingsTable(settings: readonly Field<unknown>[]): string {
  const rows = settings.map(({ env, fallback, meaning }) => {
    const shown = String(fallback ?? '') === '' ? '–' : `\`${String(fallback)}\``;
    return `| \`${env}\` | ${shown} | ${meaning} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

describe('documents', () => {
  it('show every setting as the code has it', () => {
    const [, shown] =
      /<!-- settings[^>]*-->\n\n?([\s\S]*?)\n\n?<!-- \/settings -->/.exec(
        read('docs/settings.md'),
      ) ?? [];
    expect(unpadded(shown ?? '')).toBe(unpadded(settingsTables()));
  });

  it('name commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const texts = DOCUMENTS.map(read).join('\n');
    const named = [...texts.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
  });

  it('link to files and headings that exist', () => {
    const broken = DOCUMENTS.flatMap((file) =>
      [...read(file).matchAll(/\]\(([\w./-]*)(?:#([\w-]+))?\)/g)]
        .filter(([, target = '', heading]) => {
          const linked = read(target === '' ? file : path.join(path.dirname(file), target));
          return linked === '' || (heading !== undefined && !anchorsOf(linked).includes(heading));
        })
        .map(([link]) => `${file}: ${link}`),
    );
    expect(DOCS.length).toBeGreaterThan(2);
    expect(broken).toEqual([]);
  });

  it('begin with a README of a length that people finish', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('carry one version', () => {
    expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(VERSION);
    expect(CLIENT_VERSION).toBe(VERSION);
    const chart = read('charts/trawl/Chart.yaml');
    expect(/^version: (.*)$/m.exec(chart)?.[1]).toBe(VERSION);
    expect(/^appVersion: ['"](.*)['"]$/m.exec(chart)?.[1]).toBe(VERSION);
  });

  it('hold the texts of refusals exactly as the specification has them', () => {
    expect(API_ERRORS.api_key_required.text).toBe('API key required. Pass via x-api-key header.');
    expect(API_ERRORS.api_key_invalid.text).toBe('Invalid or revoked API key.');
    expect(API_ERRORS.auth_unavailable.text).toBe('Auth backend not configured.');
    expect(API_ERRORS.crawl_unavailable.text).toMatch(
      /^Async crawl unavailable: job queue not configured/,
    );
    expect(API_ERRORS.jobs_unreadable.text).toBe('Failed to fetch jobs');
    expect(API_ERRORS.action_not_available.text).toBe('action_not_available');
    expect(API_ERRORS.screenshot_unavailable.text).toBe('Screenshot engine unavailable');
    expect(API_ERRORS.screenshot_failed.text).toBe('Screenshot failed: {message}');
    expect(API_ERRORS.file_required.text).toBe('`file` field is required (multipart upload)');
    expect(API_ERRORS.invalid_multipart.text).toBe('Invalid multipart form data');
    expect(API_ERRORS.docx_unavailable).toEqual({
      status: 415,
      text: 'DOCX parsing not available',
    });
    expect(API_ERRORS.file_unreadable.text).toBe('Could not extract text from file / document');
  });
});

describe('the example of signed requests', () => {
  const [, section = ''] = read('docs/fetching.md').split('## A name that sites can check\n');
  const block = (language: string): string =>
    new RegExp(`\`\`\`${language}\\n([^\`]+)\`\`\``).exec(section)?.[1] ?? '';
  afterEach(() => void jest.useRealTimers());

  it('is accepted by public verifiers with the keys beside it, until it expires', async () => {
    const headers = Object.fromEntries(
      block('http')
        .trim()
        .split('\n')
        .map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
    );
    const { keys } = JSON.parse(block('json')) as { readonly keys: { readonly kid: string }[] };
    const [created, expires] = ['created', 'expires'].map((name) =>
      Number(new RegExp(`;${name}=(\\d+)`).exec(headers['signature-input'] ?? '')?.[1]),
    );
    const at = (seconds = NaN): Promise<string> => {
      jest.useFakeTimers({ now: seconds * 1_000 });
      return botKeyId({ method: 'GET', url: 'https://shop.example/', headers }, keys);
    };
    expect(Number(expires)).toBe(Number(created) + 300);
    expect([await at(created), await at(expires)]).toEqual([keys[0]?.kid, keys[0]?.kid]);
    await expect(at(Number(expires) + 1)).rejects.toThrow(/expire/i);
  });

  it('makes a key that is accepted', () => {
    const [make = ''] = block('sh').split('\n');
    const cwd = mkdtempSync(path.join(tmpdir(), 'bot-key-'));
    execFileSync('sh', ['-c', make.replace(/^node/, `'${process.execPath}'`)], { cwd });
    expect(parseSigningKeys(readFileSync(path.join(cwd, 'bot.pem'), 'utf8'))).toHaveLength(1);
    rmSync(cwd, { recursive: true });
  });
});

/** Formatters pad table cells; that is no difference. */
function unpadded(table: string): string {
  return table
    .replace(/ {2,}/g, ' ')
    .replace(/-{3,}/g, '---')
    .replace(/\| (---)/g, '|$1')
    .replace(/(---) \|/g, '$1|');
}
