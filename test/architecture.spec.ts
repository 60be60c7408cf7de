import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '..');

/** Levels of the libraries; an arrow may only point to the same level's contracts or below. */
const LEVEL: Readonly<Record<string, number>> = {
  contracts: 0,
  patterns: 0.5,
  secrets: 0.5,
  turns: 0.5,
  uses: 0.5,
  egress: 1,
  content: 1,
  crawl: 1.2,
  processes: 1,
  tech: 1,
  fetch: 1.5,
  company: 1.5,
  search: 1.5,
  connectors: 1.7,
  broker: 2,
  blobs: 2,
  database: 2,
  config: 2,
  telemetry: 2,
  providers: 2,
  accounts: 3,
  requests: 3,
  billing: 3.2,
  idempotency: 3.2,
  graph: 3,
  webhooks: 3.2,
  profiles: 3,
  runs: 3.4,
  scrape: 3.5,
  runtime: 2.5,
  jobs: 4,
  client: 8,
  testing: 9,
};

/**
 * Where each client package lives, and nowhere else. Of `node:zlib` these are event loops: in a thread that may be
 * ended it could abort the process, see `inflateAtMost` of content.
 */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  'rabbitmq-client': ['libs/broker/'],
  minio: ['libs/blobs/'],
  typeorm: ['libs/database/', 'libs/accounts/', 'libs/billing/', 'libs/jobs/'],
  pg: ['libs/database/'],
  'prom-client': ['libs/telemetry/'],
  '@opentelemetry/api': ['libs/telemetry/'],
  pino: ['libs/telemetry/'],
  playwright: ['libs/fetch/src/browser/', 'libs/fetch/src/render/'],
  'generic-pool': ['libs/fetch/src/browser/'],
  undici: ['libs/egress/'],
  impit: ['libs/fetch/src/unblock/'],
  'tough-cookie': ['libs/egress/', 'libs/fetch/src/unblock/', 'libs/profiles/'],
  htmlparser2: ['libs/content/', 'libs/crawl/src/sitemap/'],
  'css-select': ['libs/content/'],
  'node:zlib': [
    'apps/api/',
    'apps/tech-scan/src/scan.consumer.ts',
    'libs/egress/',
    'libs/content/src/pdf/fixtures/',
    'libs/jobs/',
    'libs/scrape/src/page-cache/',
    'libs/scrape/src/tech/request-scans.ts',
  ],
  pako: ['libs/content/src/files/', 'libs/crawl/src/sitemap/'],
  piscina: ['libs/scrape/src/threads/', 'apps/tech-scan/'],
  'pdfjs-dist': ['libs/content/src/pdf/'],
  '@napi-rs/canvas': ['libs/content/src/pdf/'],
  'dingbat-to-unicode': ['libs/content/src/docx/'],
  fflate: [
    'libs/content/src/docx/fixtures/',
    'libs/content/src/files/fixtures/',
    'libs/crawl/src/sitemap/',
    'libs/testing/',
    'apps/api/src/jobs/results/',
  ],
  'chardetng-wasm': ['libs/content/src/charset/'],
  'gpt-tokenizer': ['libs/content/src/chunks/'],
  'ajv/dist/2020.js': ['libs/content/src/structured/', 'libs/connectors/src/port/'],
  'ajv-formats/dist/formats.js': ['libs/content/src/structured/'],
  'libphonenumber-js': ['libs/content/src/listing/', 'libs/company/'],
  re2js: ['libs/patterns/', 'libs/tech/'],
  'css-tree': ['libs/content/src/branding/'],
  'css-tree/parser': ['libs/content/src/branding/'],
  'css-tree/tokenizer': ['libs/content/src/branding/'],
  stripe: ['libs/providers/src/payments/'],
  nodemailer: ['libs/providers/src/mail/'],
  'parse-address': ['libs/content/src/listing/'],
  '@fastify/multipart': ['apps/api/'],
  '@fastify/websocket': ['apps/api/src/v2/watch/'],
  '@nestjs/common': ['apps/api/'],
  '@nestjs/core': ['apps/api/'],
  'class-validator': ['apps/api/'],
  standardwebhooks: ['libs/testing/'],
  'http-message-sig': ['libs/egress/test/'],
  'http-message-signatures': ['libs/egress/test/'],
  commander: ['apps/cli/'],
};

/** Maximum number of names that a library exports: a larger one holds two subjects. */
const MAX_EXPORTED_NAMES = 110;

/** A longer file holds two subjects; tables may be longer. */
const MAX_LINES = 350;
const TABLES = [
  'libs/client/src/api-types.ts',
  'libs/company/src/industry/labelled-texts.ts',
  'libs/contracts/src/errors.ts',
  'libs/telemetry/src/metrics.ts',
];

/** Words of names that have a term of the field: request, reported, charged, covered, fixture, caller. */
const AVOIDED_WORDS =
  /^(?:ask|asks|asked|told|tell|tells|booked|bookings?|pains?|posed|rig|whose|mend)$/i;

/** Exported names that more than one file may declare, each with its reason. None today. */
const SHARED_NAMES: Readonly<Record<string, string>> = {};

const PURE = [
  ...[
    'patterns',
    'turns',
    'uses',
    'egress',
    'fetch',
    'content',
    'crawl',
    'tech',
    'company',
    'search',
  ],
  'connectors',
];
const NOT_IN_PURE =
  /^(@nestjs\/|typeorm$|pg$|rabbitmq-client$|minio$|prom-client$|@app\/(database|accounts|billing|idempotency|jobs|scrape|graph|broker|blobs|config|telemetry|runtime|providers)$)/;

interface Import {
  readonly file: string;
  readonly target: string;
}

function* allSources(dir: string): Generator<string> {
  for (const entry of readdirSync(path.join(ROOT, dir), { withFileTypes: true })) {
    const inner = `${dir}/${entry.name}`;
    if (entry.isDirectory()) yield* allSources(inner);
    else if (/\.m?ts$|\.mjs$/.test(inner)) yield inner;
  }
}

const sources = (dir: string): readonly string[] =>
  [...allSources(dir)].filter((file) => /(?<!spec|contract|faults|soak|growth)\.ts$/.test(file));

const FILES = ['apps', 'libs'].flatMap((dir) =>
  sources(dir).filter((file) => file.split('/')[2] === 'src'),
);

const IMPORT = /^(?:import|export)\b([^'";]*)['"]([^'"]+)['"]/gm;
/** A module that is loaded when it is needed. */
const LATE_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const IMPORTS: readonly Import[] = FILES.flatMap((file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const early = [...text.matchAll(IMPORT)]
    .filter(([, clause = '']) => clause.trim() === '' || clause.endsWith('from '))
    .map(([, , target = '']) => target);
  const late = [...text.matchAll(LATE_IMPORT)].map(([, target = '']) => target);
  return [...early, ...late].map((target) => ({ file, target }));
});

const EXPORT =
  /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|enum) ([$\w]+)/gm;

/** Files that declare each exported name: those of the apps and libraries, of tests and of the benchmark. */
const EXPORTS = new Map<string, Set<string>>();
for (const file of ['apps', 'libs', 'test', 'bench'].flatMap(sources))
  for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(EXPORT))
    EXPORTS.set(name, (EXPORTS.get(name) ?? new Set()).add(file));

/** Every file of the project without its comments and strings. */
const CODE = ['apps', 'libs', 'test', 'bench', 'scripts'].flatMap((dir) =>
  [...allSources(dir)].map((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    return { file, text, code: text.replace(/\/\*[^]*?\*\/|'[^'\n]*'|\/\/.*/g, ' ') };
  }),
);

const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');
const libOf = (target: string): string | undefined => /^@app\/([\w-]+)/.exec(target)?.[1];
const describeImport = ({ file, target }: Import): string => `${file} → ${target}`;
const offending = (isBad: (one: Import) => boolean): string[] =>
  IMPORTS.filter(isBad).map(describeImport);

describe('architecture', () => {
  it('reads the whole tree', () => {
    expect(FILES.length).toBeGreaterThan(100);
    expect(IMPORTS.length).toBeGreaterThan(300);
  });

  it('points its arrows down', () => {
    const isUpward = ({ file, target }: Import): boolean => {
      const to = libOf(target);
      if (to === undefined || !file.startsWith('libs/')) return false;
      const from = file.split('/')[1] ?? '';
      if (from === to) return true;
      return (LEVEL[to] ?? 99) >= (LEVEL[from] ?? -1);
    };
    expect(offending(isUpward)).toEqual([]);
  });

  it('knows the level of every library', () => {
    const libs = readdirSync(path.join(ROOT, 'libs'));
    expect(libs.filter((lib) => LEVEL[lib] === undefined)).toEqual([]);
  });

  it('keeps frameworks, settings, database and queue out of the libraries that think', () => {
    const isImpure = ({ file, target }: Import) =>
      PURE.some((lib) => file.startsWith(`libs/${lib}/`)) && NOT_IN_PURE.test(target);
    expect(offending(isImpure)).toEqual([]);
  });

  it('has a client of the API that imports nothing, and a command line that imports only the client', () => {
    const isForeign = ({ file, target }: Import): boolean => {
      if (target.startsWith('.')) return false;
      if (file.startsWith('libs/client/')) return true;
      return file.startsWith('apps/cli/') && target.startsWith('@app/') && target !== '@app/client';
    };
    expect(offending(isForeign)).toEqual([]);
    expect(FILES.filter((file) => file.startsWith('libs/client/')).length).toBeGreaterThan(8);
  });

  it('has one home for each client package', () => {
    const isAbroad = ({ file, target }: Import) => {
      const homes = HOMES[target];
      return (
        homes !== undefined &&
        !file.startsWith('libs/testing/') &&
        !homes.some((home) => file.startsWith(home))
      );
    };
    expect(offending(isAbroad)).toEqual([]);
  });

  it('crosses libraries by their name and stays inside by file', () => {
    const isCrossing = ({ file, target }: Import) => {
      if (!target.startsWith('.')) return false;
      const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
      return roomOf(to) !== roomOf(file) && !file.startsWith('apps/standalone/');
    };
    expect(offending(isCrossing)).toEqual([]);
  });

  it('lets no app import another, but the standalone, which composes them', () => {
    const isForeign = ({ file, target }: Import) =>
      file.startsWith('libs/') && /(^|\/)apps\//.test(target);
    expect(offending(isForeign)).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(findCycles()).toEqual([]);
  });

  it('keeps the index of each library small', () => {
    const large = readdirSync(path.join(ROOT, 'libs'))
      .map((lib) => ({ lib, names: exportedNames(`libs/${lib}/src/index.ts`).length }))
      .filter(({ names }) => names === 0 || names > MAX_EXPORTED_NAMES);
    expect(large).toEqual([]);
  });

  it('exports from a library only what others use', () => {
    const unused = readdirSync(path.join(ROOT, 'libs'))
      // Its users are elsewhere.
      .filter((lib) => lib !== 'client')
      .flatMap((lib) => {
        const users = wordsOfUsers(lib);
        const unusedNames = exportedNames(`libs/${lib}/src/index.ts`).filter(
          (name) => !users.has(name),
        );
        return unusedNames.map((name) => `${lib}: ${name}`);
      });
    expect(unused).toEqual([]);
  });

  it('exports each name from one file', () => {
    const shared = [...EXPORTS].filter(
      ([name, files]) => files.size > 1 && !(name in SHARED_NAMES),
    );
    expect(shared.map(([name, files]) => [name, ...files].join(' '))).toEqual([]);
  });

  it('gives each class of the wire a name of its own: two would be one in the API’s description', () => {
    const names = FILES.filter((file) => file.startsWith('apps/api/src/')).flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^(?:export )?class (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('names exports in the words of the field', () => {
    const avoided = [...EXPORTS.keys()].filter((name) =>
      name.split(/_|(?=[A-Z][a-z])/).some((word) => AVOIDED_WORDS.test(word)),
    );
    expect(avoided).toEqual([]);
  });

  it('has no long files but tables', () => {
    const lines = (file: string) =>
      readFileSync(path.join(ROOT, file), 'utf8').split('\n').length - 1;
    expect(FILES.filter((file) => lines(file) > MAX_LINES).sort()).toEqual(TABLES);
  });

  it('has no rooms named for nothing', () => {
    const vague = FILES.filter((file) =>
      /\/(utils?|common|shared|core|helpers?|misc)(\/|\.ts$)/.test(file),
    );
    expect(vague).toEqual([]);
  });
});

/**
 * Words in the code of the files outside a library that import it. The growth suite is a user, too: it measures the readers
 * of text that a library exports.
 */
function wordsOfUsers(lib: string): ReadonlySet<string> {
  const importing = new RegExp(`'@app/${lib}'|libs/${lib}/src/index\\.js`);
  const users = CODE.filter(
    ({ file, text }) => !file.startsWith(`libs/${lib}/`) && importing.test(text),
  );
  return new Set(users.flatMap(({ code }) => code.match(/[$\w]+/g) ?? []));
}

/** Names that a file exports, those of its `export *` included. */
function exportedNames(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  return source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return declaredNames(statement);
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause && ts.isNamedExports(exportClause))
      return exportClause.elements.map(({ name }) => name.text);
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    return exportedNames(resolve(file, moduleSpecifier.text) ?? '');
  });
}

function declaredNames(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) =>
      ts.isIdentifier(name) ? name.text : '',
    );
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}

/** Cycles of imports, those of types alone included. */
function findCycles(): string[] {
  const graph = new Map<string, string[]>();
  for (const { file, target } of IMPORTS) {
    const to = resolve(file, target);
    if (to) graph.set(file, [...(graph.get(file) ?? []), to]);
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at >= 0) cycles.push([...trail.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

function resolve(file: string, target: string): string | null {
  const lib = libOf(target);
  if (lib) return `libs/${lib}/src/index.ts`;
  if (!target.startsWith('.')) return null;
  return path.posix
    .normalize(path.posix.join(path.posix.dirname(file), target))
    .replace(/\.js$/, '.ts');
}
