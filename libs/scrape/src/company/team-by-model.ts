import type { Deadline, LlmRequest, LlmUsage } from '@app/contracts';
import type { TeamMember } from '@app/company';
import type { ModelReader } from '../models/model-reader.js';

export interface ReadPage {
  readonly url: string;
  readonly markdown: string;
}

export interface TeamTerms {
  readonly models: ModelReader;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  readonly budgetMicroUsd: number;
  readonly tenantId: string;
}

export interface TeamReading {
  readonly team: readonly TeamMember[];
  readonly usage: LlmUsage;
  /** The model returned a valid answer. */
  readonly isAnswered: boolean;
}

/** Paths of pages that list people, in the languages of most company sites. */
const PEOPLE =
  /team|people|staff|about|leader|management|founders|board|crew|who-we-are|equipe|quienes|nosotros|equipo|ueber|uber-uns|mitarbeiter|chi-siamo|sobre|o-nas|over-ons/i;
/** Maximum number of pages in the prompt. */
const MAX_PAGES = 3;
const MAX_PAGE_CHARS = 60_000;

const REQUEST: LlmRequest = {
  modelClass: 'low',
  json: {
    schema: {
      type: 'object',
      properties: {
        team: {
          type: 'array',
          description: 'People who work at or lead the company whose website this is; nobody else.',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', description: 'Full name of one person, as written.' },
              role: { type: 'string', description: 'Job title at the company, as written.' },
            },
            required: ['name'],
          },
        },
      },
      required: ['team'],
    },
  },
  summary: false,
};

/**
 * People that the pages name without markup. Only names that appear in the text word for word count: a model
 * makes names up. Null: there is no text for the prompt.
 */
export async function teamByModel(
  pages: readonly ReadPage[],
  { models, ...limits }: TeamTerms,
): Promise<TeamReading | null> {
  const shown = pagesToShow(pages);
  const [first] = shown;
  if (!first) return null;
  const markdown = shown.map((page) => page.markdown.slice(0, MAX_PAGE_CHARS)).join('\n\n');
  const { json, problem, usage } = await models.read(REQUEST, { markdown, url: first.url }, limits);
  const isAnswered = problem === undefined && json !== undefined;
  return { team: isAnswered ? peopleIn(json, markdown) : [], usage, isAnswered };
}

/** People found by markup, completed with roles the markup lacks, then those only the model found. */
export function joinTeams(
  marked: readonly TeamMember[],
  read: readonly TeamMember[],
): readonly TeamMember[] {
  const roles = new Map(read.map(({ name, role }) => [nameKey(name), role]));
  const known = new Set(marked.map(({ name }) => nameKey(name)));
  const completed = marked.map((one): TeamMember => {
    const role = one.role ?? roles.get(nameKey(one.name));
    return role === undefined ? one : { ...one, role };
  });
  return [...completed, ...read.filter(({ name }) => !known.has(nameKey(name)))];
}

/** The pages with people; without one, the homepage, which is first. */
function pagesToShow(pages: readonly ReadPage[]): readonly ReadPage[] {
  const withText = pages.filter(({ markdown }) => markdown.trim() !== '');
  const ofPeople = withText.filter(({ url }) => PEOPLE.test(new URL(url).pathname));
  return ofPeople.length > 0 ? ofPeople.slice(0, MAX_PAGES) : withText.slice(0, 1);
}

const MAX_PEOPLE = 200;

function peopleIn(json: unknown, markdown: string): readonly TeamMember[] {
  const { team } = (json ?? {}) as { readonly team?: unknown };
  const words = plain(markdown);
  const stands = (text: string): boolean => words.includes(` ${plain(text).trim()} `);
  const people = new Map<string, TeamMember>();
  for (const one of Array.isArray(team) ? (team as readonly unknown[]) : []) {
    const { name, role } = (one ?? {}) as { readonly name?: unknown; readonly role?: unknown };
    if (typeof name !== 'string' || !isFullName(name) || !stands(name)) continue;
    const hasRole = typeof role === 'string' && role.trim() !== '' && stands(role);
    const member = { name: name.trim(), ...(hasRole ? { role: role.trim() } : {}) };
    if (!people.has(nameKey(name))) people.set(nameKey(name), member);
    if (people.size === MAX_PEOPLE) break;
  }
  return [...people.values()];
}

/** At least two words: a first name alone matches anywhere. */
function isFullName(name: string): boolean {
  if (name.length > 80) return false;
  const hasLetter = name.split(/\s+/).map((word) => /\p{L}/u.test(word));
  return hasLetter.some((has, index) => has && hasLetter[index + 1] === true);
}

/** Only words, separated by single spaces: Markdown may come between them. */
function plain(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{N}'’&-]+/gu, ' ')} `.replace(/ +/g, ' ').toLowerCase();
}

function nameKey(name: string): string {
  return plain(name).trim();
}
