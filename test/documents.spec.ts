import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTING_GROUPS, type Field } from '@app/config';
import { CLIENT_VERSION } from '@app/client';
import { API_ERRORS } from '@app/contracts';
import { VERSION } from '@app/runtime';

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

/** Formatters pad table cells; that is no difference. */
function unpadded(table: string): string {
  return table
    .replace(/ {2,}/g, ' ')
    .replace(/-{3,}/g, '---')
    .replace(/\| (---)/g, '|$1')
    .replace(/(---) \|/g, '$1|');
}
