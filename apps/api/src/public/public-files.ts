import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from '@nestjs/swagger';
import { documentedOperations, operationTitle } from './documented-operations.js';
import { fillText, type TextFacts } from './fill-text.js';
import { describeOperations } from './llms-full.js';
import { EXAMPLE_SITE } from './operation-example.js';
import { operationList, operationTable, planTable, errorTable } from './tables.js';

/** Stands beside this file and, copied by the build, beside what is built of it. */
const FILES_FOLDER = fileURLToPath(new URL('./files/', import.meta.url));
/** Without it readers get the quick start (specification: Key provisioning and public files). */
const MANIFEST = 'manifest.md';

/** Texts for agents and their people, by what they are. */
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
  /** Address under which clients reach the API. */
  readonly publicUrl: string;
  /** Page that examples name; ends in a slash. */
  readonly exampleUrl: string;
}

/** Read and filled once. @throws Error when a file other than the manifest is missing, or names what there is not */
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

/** Addresses of the operator, which may hold what has a meaning in HTML. */
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
      operationList: operationList(operations),
      operationTable: operationTable(operations),
      planTable: planTable(),
      errorTable: errorTable(operations),
      operations: describeOperations(document, address),
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
