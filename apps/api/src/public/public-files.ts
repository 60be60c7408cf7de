import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  PLAN_LIMITS,
  PLANS,
  API_ERRORS,
  SUGGESTED_FIXES,
  type Overage,
  type Plan,
  type ApiErrorCode,
} from '@app/contracts';
import {
  documentedOperations,
  operationTitle,
  documentedErrors,
  type DocumentedOperation,
} from './documented-operations.js';
import { readDocuments } from './document-set.js';
import { OperationTexts } from './operation-texts.js';
import { EXAMPLE_SITE } from './operation-example.js';

/** This folder is beside this file; the build copies it beside the compiled one. */
const FILES_FOLDER = fileURLToPath(new URL('./files/', import.meta.url));
/** A missing manifest is replaced by the quick start (specification: Key provisioning and public files). */
const MANIFEST = 'manifest.md';

/** Texts for agents and their users. */
export interface PublicFiles {
  readonly quickStart: string;
  readonly manifest: string;
  readonly llms: string;
  readonly llmsFull: string;
  /** The page at `/`, for browsers. */
  readonly startPage: string;
}

export interface PublicFacts {
  readonly document: OpenAPIObject;
  /** Base URL under which clients reach the API. */
  readonly publicUrl: string;
  /** Page used in examples; ends in a slash. */
  readonly exampleUrl: string;
}

/** Reads and fills the files once. @throws Error if a file other than the manifest is missing, or has an unknown placeholder */
export function loadPublicFiles(facts: PublicFacts, folder = FILES_FOLDER): PublicFiles {
  const address = facts.publicUrl.replace(/(?<!\/)\/+$/, '');
  const known = factsOf(facts.document, address);
  const filled = (text: string): string =>
    fillText(text, known).replaceAll(EXAMPLE_SITE, facts.exampleUrl);
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const quickStart = filled(read('quick-start.md'));
  const manifest = readIfThere(() => read(MANIFEST));
  return {
    quickStart,
    manifest: manifest === null ? quickStart : filled(manifest),
    llms: filled(read('llms.txt')),
    llmsFull: filled(read('llms-full.md')),
    startPage: filledPage(read('start-page.html'), filled),
  };
}

/** The operator's URLs may contain characters with a meaning in HTML. */
function filledPage(page: string, filled: (text: string) => string): string {
  return page.replace(/(?<=<code>)[\s\S]*?(?=<\/code>)/g, (code) => escaped(filled(code)));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function factsOf(document: OpenAPIObject, address: string): TextFacts {
  const operations = documentedOperations(document);
  return {
    operations: new Set(operations.map(operationTitle)),
    values: {
      address,
      version: document.info.version,
      documentList: documentList(address),
      operationList: operationList(operations),
      operationTable: operationTable(operations),
      planTable: planTable(),
      errorTable: errorTable(operations),
      operations: new OperationTexts(document, { address }).whole(),
    },
  };
}

function readIfThere(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

/** The values for the placeholders of public texts. */
interface TextFacts {
  /** By the name in double braces. */
  readonly values: Readonly<Record<string, string>>;
  /** Titles of the available operations, such as `POST /v1/scrape`. */
  readonly operations: ReadonlySet<string>;
}

/** Matches up to the next start marker only, so many starts without an end are still read once. */
const CONDITIONAL =
  /^<!-- with ([A-Z]+ \S+) -->\n((?:(?!<!-- (?:with|end) )[^\n]*\n)*)<!-- end -->\n/gm;

/**
 * Fills `{{name}}` and removes the text between `<!-- with METHOD /path -->` and `<!-- end -->` if the operation does not
 * exist. @throws Error that names a placeholder without a value
 */
export function fillText(text: string, { values, operations }: TextFacts): string {
  return text
    .replace(CONDITIONAL, (_, title: string, inner: string) => (operations.has(title) ? inner : ''))
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for {{${name}}} in a public file`);
      return value;
    })
    .replace(/\n{3,}/g, '\n\n');
}

type Row = readonly string[];

const REFUSAL_CODES = Object.keys(API_ERRORS) as ApiErrorCode[];

/** A Markdown table. */
function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellText).join(' | ')} |`).join('\n');
}

const cellText = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A line for each document of the project, at the address of its Markdown. */
function documentList(address: string): string {
  return readDocuments()
    .flatMap(({ documents }) => documents)
    .map(({ name, title, about }) => `- [${title}](${address}/docs/${name}.md): ${about}`)
    .join('\n');
}

/** A line for each operation. */
function operationList(operations: readonly DocumentedOperation[]): string {
  return operations
    .map((operation) => `- ${operationTitle(operation)}: ${operation.summary}`)
    .join('\n');
}

function operationTable(operations: readonly DocumentedOperation[]): string {
  return table(
    ['endpoint', 'what it does', 'key'],
    operations.map((operation) => [
      `\`${operationTitle(operation)}\``,
      operation.summary,
      operation.needsKey ? 'yes' : 'no',
    ]),
  );
}

/** Every documented error by status, with its code and suggested fix. */
function errorTable(operations: readonly DocumentedOperation[]): string {
  const documented = new Set(operations.flatMap(documentedErrors).flatMap(([, texts]) => texts));
  const rows = REFUSAL_CODES.filter((code) => documented.has(API_ERRORS[code].text))
    .sort((one, other) => API_ERRORS[one].status - API_ERRORS[other].status)
    .map((code): Row => {
      const { status, text } = API_ERRORS[code];
      const shown = text === '{problem}' ? '(describes the problem)' : text;
      return [String(status), `\`${code}\``, shown, SUGGESTED_FIXES[code]];
    });
  return table(['status', '`code`', '`error`', '`suggested_fix`'], rows);
}

const PLAN_ROWS: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['USD per month', (plan) => figure(PLAN_LIMITS[plan].priceMonthUsd)],
  ['USD per month, billed yearly', (plan) => figure(PLAN_LIMITS[plan].priceYearMonthUsd)],
  ['credits per month', (plan) => figure(PLAN_LIMITS[plan].monthlyCredits)],
  ['enrich credits per month', (plan) => figure(PLAN_LIMITS[plan].enrichCredits)],
  ['KYB credits per month', (plan) => figure(PLAN_LIMITS[plan].kybCredits)],
  ['overage', (plan) => overageText(PLAN_LIMITS[plan].overage)],
  ['requests per minute', (plan) => figure(PLAN_LIMITS[plan].requestsPerMinute)],
  ['requests at a time', (plan) => figure(PLAN_LIMITS[plan].concurrentRequests)],
  ['screenshots per day', (plan) => figure(PLAN_LIMITS[plan].screenshotsPerDay)],
  ['pages of a batch at a time', (plan) => figure(PLAN_LIMITS[plan].batchWorkers)],
  ['links of a map', (plan) => figure(PLAN_LIMITS[plan].mapLinks)],
];

/** What each plan grants (specification: Limits, Plans). */
function planTable(): string {
  return table(
    ['', ...PLANS],
    PLAN_ROWS.map(([title, text]) => [title, ...PLANS.map((plan) => text(plan))]),
  );
}

/** With thousands separators; null: as agreed. */
function figure(value: number | null): string {
  return value === null ? 'as agreed' : value.toLocaleString('en-US');
}

function overageText(overage: Overage | 'agreed' | null): string {
  if (overage === null) return 'none: 402';
  if (overage === 'agreed') return 'as agreed';
  return `${overage.priceUsd} USD per ${figure(overage.credits)}`;
}
