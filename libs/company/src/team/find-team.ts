import { isItem, textOfValue, type JsonLdItem } from '@app/content';
import type { TeamMember } from '../enrichment.js';
import type { SurveyedPage } from '../page/page-survey.js';
import { joinTeam } from './join-team.js';
import { peopleOfLines } from './people-of-lines.js';
import { plainAddresses } from '../emails/plain-address.js';
import { MAX_TEAM } from '../limits.js';
import type { JsonLdNode } from '../page/json-ld-nodes.js';
import { personName } from './person-name.js';
import { roleText } from './role-words.js';

/** The company's people as a page presents them: those of JSON-LD, then those of its text. */
export function findTeam({ nodes, page, survey, voice }: SurveyedPage): readonly TeamMember[] {
  return joinTeam([
    ...peopleOfJsonLd(nodes, page.jsonLd.items),
    ...peopleOfLines(survey.lines, voice, page.url),
  ]);
}

/** Properties by which an organization names its people, and those that lead to their lists. */
const STAFF = new Set(
  'employee employees founder founders member members owner ownedBy alumni leader department mainEntity about itemListElement item hasPart worksFor subOrganization'.split(
    ' ',
  ),
);

/**
 * People whom the page's JSON-LD presents as the company's: employees, founders and members of an
 * organization, subjects of profile pages, and people on their own that have a job. Authors and
 * reviewers are left out by the way they are reached.
 */
function peopleOfJsonLd(
  nodes: readonly JsonLdNode[],
  items: readonly JsonLdItem[],
): readonly TeamMember[] {
  const authors = authorIds(items);
  const people: TeamMember[] = [];
  for (const { item, types, path } of nodes) {
    if (people.length >= MAX_TEAM) break;
    const isPerson =
      types.some((type) => type === 'Person' || type === 'Physician') && isNamed(item);
    if (!isPerson) continue;
    const isStaff =
      path.length > 0 && path.every((key) => STAFF.has(key)) && !path.includes('alumni');
    if (isStaff || (path.length === 0 && isOnItsOwn(item, authors))) {
      const person = personOf(item, roleAround(nodes, item, path));
      if (person !== undefined) people.push(person);
    }
  }
  return people;
}

const isNamed = (item: JsonLdItem): boolean =>
  item.name !== undefined || item.familyName !== undefined;

/** A person at the top of a block: one who works here, and not merely who wrote the page. */
function isOnItsOwn(item: JsonLdItem, authors: ReadonlySet<string>): boolean {
  if (item.worksFor !== undefined) return true;
  const id = item['@id'];
  const isAuthor = typeof id === 'string' && authors.has(id);
  return !isAuthor && item.jobTitle !== undefined;
}

const MAX_AUTHORS = 500;

/** What works on the page refer to as their authors. */
function authorIds(items: readonly JsonLdItem[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of items)
    for (const author of [item.author, item.creator, item.reviewedBy].flat(1).slice(0, 50)) {
      const id = isItem(author) ? author['@id'] : undefined;
      if (typeof id === 'string' && ids.size < MAX_AUTHORS) ids.add(id);
    }
  return ids;
}

/** `{"@type": "OrganizationRole", "roleName": …, "member": {person}}` */
function roleAround(
  nodes: readonly JsonLdNode[],
  person: JsonLdItem,
  path: readonly string[],
): string | undefined {
  if (path.length < 2) return undefined;
  const last = path.at(-1) ?? '';
  const role = nodes.find(
    ({ item, types }) => types.some((type) => type.endsWith('Role')) && item[last] === person,
  );
  return textOfValue(role?.item.roleName);
}

function personOf(item: JsonLdItem, roleName: string | undefined): TeamMember | undefined {
  const given = textOfValue(item.givenName) ?? '';
  const family = textOfValue(item.familyName) ?? '';
  const written = textOfValue(item.name) ?? `${given} ${family}`;
  const name = personName(plain(written)) ?? personName(`${given} ${family}`);
  if (name === undefined) return undefined;
  const role = roleText(plain(textOfValue(item.jobTitle) ?? roleName ?? ''));
  const mail = textOfValue(item.email)?.replace(/^\s*mailto:/i, '') ?? '';
  const email = plainAddresses(mail, 1)[0]?.address;
  return {
    name,
    ...(role === undefined ? {} : { role }),
    ...(email === undefined ? {} : { email }),
  };
}

/** Values are often written with the entities of HTML. */
const plain = (text: string): string =>
  text
    .replace(/&amp;/g, '&')
    .replace(/&#0?39;|&rsquo;|&#8217;/g, '’')
    .replace(/&nbsp;|&#160;/g, ' ');
