import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from '@nestjs/swagger';
import { documentedOperations, operationTitle } from './documented-operations.js';
import { fillText, type TextFacts } from './fill-text.js';
import { describeOperations } from './llms-full.js';
import { EXAMPLE_SITE } from './operation-example.js';
import { operationList, operationTable, planTable, errorTable } from './tables.js';

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
