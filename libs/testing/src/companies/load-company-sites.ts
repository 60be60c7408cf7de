import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a person reads from the pages of a site. */
export interface CompanyLabels {
  readonly domain: string;
  readonly emails: readonly string[];
  /** As the pages write them. */
  readonly phones: readonly string[];
  readonly socials: Readonly<Record<string, string>>;
  /** Name, without titles and degrees, and role. */
  readonly team: readonly (readonly [name: string, role: string])[];
}

export interface CompanySite {
  readonly name: string;
  readonly labels: CompanyLabels;
  /** HTML by path, the homepage (`/`) first. */
  readonly pages: ReadonlyMap<string, string>;
}

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'sites');
const START = '<!--company ';
const END = ' -->\n';
const PAGE = /^<!--page (\S+) -->\n/m;

/**
 * Sites of small companies of our own making, one file each: a comment with what is to be found,
 * then the pages. They are named `.site` so that no formatter evens out how sites write.
 */
export function loadCompanySites(): readonly CompanySite[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.site'))
    .sort()
    .map(loadSite);
}

function loadSite(file: string): CompanySite {
  const source = readFileSync(path.join(FOLDER, file), 'utf8');
  const end = source.indexOf(END);
  if (!source.startsWith(START) || end === -1) throw new Error(`${file} says not what to expect`);
  const labels = JSON.parse(source.slice(START.length, end)) as CompanyLabels;
  // Splitting at a pattern with a group gives text, path, HTML, path, HTML …
  const [, ...parts] = source.slice(end + END.length).split(PAGE);
  const pages = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) pages.set(parts[at] ?? '', parts[at + 1] ?? '');
  if (!pages.has('/')) throw new Error(`${file} has no homepage`);
  return { name: file.replace(/\.site$/, ''), labels, pages };
}
