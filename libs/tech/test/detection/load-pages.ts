import type { ScanInput } from '../../src/technology.js';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page and all that a careful reader of its source finds used; the rule is in `detection.spec.ts`. */
export interface LabelledPage {
  readonly name: string;
  readonly input: ScanInput;
  readonly expected: readonly string[];
}

interface PageHead {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly expected: readonly string[];
}

const FOLDER = fileURLToPath(new URL('./pages/', import.meta.url));
const START = '<!--page ';
const END = ' -->\n';

/**
 * Whole pages of our own making, each with the answer's headers and cookies in the comment at its head.
 * They are named `.page` so that no formatter evens out how sites write.
 */
export function loadPages(): readonly LabelledPage[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.page'))
    .sort()
    .map(loadPage);
}

function loadPage(file: string): LabelledPage {
  const source = readFileSync(path.join(FOLDER, file), 'utf8');
  const end = source.indexOf(END);
  if (!source.startsWith(START) || end === -1) throw new Error(`${file} says not what to expect`);
  const head = JSON.parse(source.slice(START.length, end)) as PageHead;
  const { url, headers = {}, cookies = {}, expected } = head;
  return {
    name: file.replace(/\.page$/, ''),
    input: { url, headers: listed(headers), cookies, html: source.slice(end + END.length) },
    expected,
  };
}

function listed(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}
