import { invalidRequest } from '../../http/invalid-request.js';
import { structureProblem } from '../../http/json-structure.js';
import { requireMarkdown } from '../options/formats.js';
import { booleanOption, readOptions, type V2Fields } from '../options/read-options.js';
import type { Warnings } from '../options/warnings.js';
import { REFUSED_ON_PAGES } from '../scrape/parse-v2-scrape.js';

const FIELD = 'options';
const RULES = {
  honoured: ['formats', 'onlyMainContent', 'removeBase64Images'],
  refused: REFUSED_ON_PAGES,
};

/** Checks the field `options` of an upload, which is JSON. @throws ApiError */
export function checkParseOptions(fields: ReadonlyMap<string, string>, warnings: Warnings): void {
  for (const name of fields.keys()) if (name !== FIELD) warnings.ignore(name);
  const text = fields.get(FIELD);
  if (text === undefined || text === '') return;
  const options = readOptions(optionsOf(text), RULES, warnings);
  requireMarkdown(options['formats'], 'formats', warnings);
  // A document file is all main content, and its images are left out.
  booleanOption(options['onlyMainContent'], 'onlyMainContent');
  booleanOption(options['removeBase64Images'], 'removeBase64Images');
}

function optionsOf(text: string): V2Fields {
  const problem = structureProblem(text);
  if (problem !== null) throw invalidRequest(problem);
  const value = jsonOf(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as V2Fields;
  throw invalidRequest('`options` must be a JSON object');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidRequest('`options` must be a JSON object');
  }
}
