import type { PageLine } from '@app/content';
import type { TeamMember } from '../enrichment.js';
import { MAX_TEAM } from '../limits.js';
import type { OwnVoice } from '../page/own-voice.js';
import { officeHolders, oneLinePeople, type OneLinePerson } from './one-line-people.js';
import { personName } from './person-name.js';
import { isKnownRole, isRoleAndNoName, roleText } from './role-words.js';
import {
  isByline,
  isInCard,
  isNameMarked,
  isPersonMarked,
  isRoleMarked,
  segmentsOf,
  shapeOf,
  teamLine,
  type TeamLine,
} from './team-line.js';
import { pageSubject, isOtherPeopleHeading, isTeamHeading } from './team-words.js';
import { domainOf, ownLabel } from '../domain.js';

const MAX_LINE_CHARS = 240;
/** A badge or a number between a name and its role is shorter. */
const MAX_BETWEEN_CHARS = 40;
const MAX_ROLE_LINE_CHARS = 160;

/**
 * People whom headings and short lines of a page present with their roles. Which lines are looked
 * at depends on the page: all of a team page, the part under a heading such as "Our team" of any
 * page, and of about and contact pages also headings that a role follows.
 */
export function peopleOfLines(
  lines: readonly PageLine[],
  voice: OwnVoice,
  url: string,
): readonly TeamMember[] {
  const body = lines
    .filter(({ region }) => region === 'body' || region === 'other')
    .map((line) => teamLine(line, voice.isOthers(line)));
  const subject = pageSubject(url);
  const parts = partsOf(body, subject, (line) => nameOf(line, 2) !== undefined);
  const found = new LineReader(body, parts).read();
  const elsewhere = rolesElsewhere(
    found.flatMap(({ role }) => role ?? []),
    url,
  );
  const isElsewhere = ({ role }: Candidate): boolean => role !== undefined && elsewhere.has(role);
  const lists = listsOfOthers(found, isElsewhere);
  return chosen(found.filter((one) => !isElsewhere(one) && !lists.has(one.shape)));
}

/** Forms of which at least half, and two, work elsewhere: all of such a list are customers. */
function listsOfOthers(
  found: readonly Candidate[],
  isElsewhere: (candidate: Candidate) => boolean,
): ReadonlySet<string> {
  const lists = [...Map.groupBy(found, ({ shape }) => shape)].filter(([, people]) => {
    const count = people.filter(isElsewhere).length;
    return count >= 2 && 2 * count >= people.length;
  });
  return new Set(lists.map(([shape]) => shape));
}

interface Candidate {
  readonly name: string;
  readonly role: string | undefined;
  readonly shape: string;
  /** `sure`: taken for itself; the others where their like are. */
  readonly confidence: 'sure' | 'likely' | 'bare' | 'listed';
}

/** People of one form that must be sure before others of it count. */
const LEAST_SURE = { likely: 1, bare: 2 } as const;
/** People of one form, roles and all, that make a list a list of people. */
const LEAST_LISTED = 3;

function chosen(candidates: readonly Candidate[]): readonly TeamMember[] {
  const count = (confidence: Candidate['confidence'], shape: string): number =>
    counts.get(`${confidence} ${shape}`) ?? 0;
  const counts = new Map<string, number>();
  for (const { confidence, shape } of candidates)
    counts.set(`${confidence} ${shape}`, (counts.get(`${confidence} ${shape}`) ?? 0) + 1);
  const isTaken = ({ confidence, shape }: Candidate): boolean => {
    if (confidence === 'sure') return true;
    if (confidence === 'listed') return count('listed', shape) >= LEAST_LISTED;
    return count('sure', shape) >= LEAST_SURE[confidence];
  };
  return candidates
    .filter(isTaken)
    .map(({ name, role }) => (role === undefined ? { name } : { name, role }));
}

/** A name in a line that does not name a role, which would look alike: "Tax Manager". */
function nameOf({ text }: TeamLine, minWords: number): string | undefined {
  const name = text.length > MAX_LINE_CHARS ? undefined : personName(text, minWords);
  return name === undefined || isRoleAndNoName(text) ? undefined : name;
}

interface FoundRole {
  readonly role: string | undefined;
  readonly isKnown: boolean;
  /** Its line. */
  readonly index: number;
}

const NO_ROLE: FoundRole = { role: undefined, isKnown: false, index: -1 };

class LineReader {
  private readonly found: Candidate[] = [];
  /** Lines that are a role. */
  private readonly used = new Set<number>();
  /** Forms of lines with known roles. */
  private readonly roleShapes: ReadonlySet<string>;

  constructor(
    private readonly lines: readonly TeamLine[],
    private readonly parts: readonly PartSubject[],
  ) {
    this.roleShapes = new Set(
      lines.filter((line, index) => this.isRoleUnderName(line, index)).map(shapeOf),
    );
  }

  private isRoleUnderName(line: TeamLine, index: number): boolean {
    const part = this.parts[index];
    const isHere = index > 0 && (part === 'team' || part === 'open');
    return isHere && this.nameAt(index - 1) !== undefined && isRoleLine(line);
  }

  read(): readonly Candidate[] {
    for (const [index, line] of this.lines.entries()) {
      if (this.found.length >= MAX_TEAM) break;
      const part = this.parts[index] ?? 'shut';
      if (part === 'others' || line.isOthers || this.used.has(index)) continue;
      if (line.text.length > MAX_LINE_CHARS) continue;
      // Classes are read last: most lines hold no name.
      const isShut = part === 'shut' && (nameOf(line, 2) === undefined || !isInCard(line));
      if (isShut) this.readOffice(line);
      else this.readPerson(line, index, part);
    }
    return this.found;
  }

  private nameAt(index: number): string | undefined {
    const line = this.lines[index];
    const minWords = line?.isHeading === true && this.parts[index] === 'team' ? 1 : 2;
    return line === undefined ? undefined : nameOf(line, minWords);
  }

  private readPerson(line: TeamLine, index: number, part: PartSubject): void {
    const people = oneLinePeople(line.text, () => segmentsOf(line));
    const name = people.length > 0 ? undefined : this.nameAt(index);
    if ((people.length === 0 && name === undefined) || isByline(line)) return;
    // A card whose classes name a team member is of the team on any page.
    const isTeam = part === 'team' || isInCard(line);
    this.readLine(people, line, isTeam);
    if (name === undefined || this.isQuoted(index)) return;
    const card = this.cardOf(name, line, index, isTeam);
    // Where nothing else speaks of the company's people, a class that only may mean them is not enough.
    const isProven = part !== 'shut' || card?.role.isKnown === true || isPersonMarked(line);
    if (card === null || !isProven) return;
    this.found.push(card.candidate);
    this.used.add(card.role.index);
  }

  /** Name and role in one line. */
  private readLine(people: readonly OneLinePerson[], line: TeamLine, isTeam: boolean): void {
    for (const { name, role, isKnown, isOffice } of people) {
      const isSure = isKnown && (isTeam || line.isHeading || isOffice);
      if (!isSure && !isKnown && !isTeam) continue;
      const confidence = isSure ? 'sure' : isKnown ? 'listed' : 'likely';
      this.found.push({ name, role, shape: shapeOf(line), confidence });
    }
  }

  /** Laws require imprints to name the managers; they may be anywhere. */
  private readOffice(line: TeamLine): void {
    for (const { name, role } of officeHolders(line.text))
      this.found.push({ name, role, shape: shapeOf(line), confidence: 'sure' });
  }

  private cardOf(
    name: string,
    line: TeamLine,
    index: number,
    isTeam: boolean,
  ): { readonly candidate: Candidate; readonly role: FoundRole } | null {
    const found = this.roleOf(index, isTeam);
    const { role, isKnown } = found;
    const isWhole = name.includes(' ') || /\P{sc=Latin}/u.test(name.replace(/[^\p{L}]/gu, ''));
    const isTitled = line.isHeading || isNameMarked(line);
    if ((!isWhole || !isTeam) && !isKnown) return null;
    if (!isTeam && !isTitled) return null;
    if (role === undefined && !isTitled) return null;
    const isMarked = isInCard(line) && isNameMarked(line);
    const confidence = isKnown || isMarked ? 'sure' : role === undefined ? 'bare' : 'likely';
    return { candidate: { name, role, shape: shapeOf(line), confidence }, role: found };
  }

  /** The role after the name; else the one before it that no other person has. */
  private roleOf(index: number, isTeam: boolean): FoundRole {
    const before = this.roleBefore(index);
    if (this.lines[index]?.element.name === 'dd' && before.isKnown) return before;
    const after = this.roleAt(index + 1, isTeam);
    if (after.role !== undefined) return after;
    if (before.isKnown) return before;
    const between = this.lines[index + 1]?.text ?? '';
    const isShort = between.length <= MAX_BETWEEN_CHARS && this.nameAt(index + 1) === undefined;
    const next = isShort ? this.roleAt(index + 2, isTeam) : NO_ROLE;
    return next.isKnown ? next : NO_ROLE;
  }

  private roleAt(index: number, isTeam: boolean): FoundRole {
    const line = this.lines[index];
    if (line === undefined || line.isOthers || line.text.length > MAX_ROLE_LINE_CHARS)
      return NO_ROLE;
    const isRoleShape = this.roleShapes.has(shapeOf(line));
    if (nameOf(line, 2) !== undefined && (line.isHeading || !isRoleShape)) return NO_ROLE;
    const role = roleText(line.text);
    // "Inhaberin: Petra Klein" is a line of its own.
    if (role === undefined || oneLinePeople(line.text, () => []).length > 0) return NO_ROLE;
    const isKnown = isKnownRole(role);
    const isLike = isTeam && (isRoleMarked(line) || isRoleShape);
    return isKnown || isLike ? { role, isKnown, index } : NO_ROLE;
  }

  private roleBefore(index: number): FoundRole {
    const line = this.lines[index - 1];
    if (line === undefined || line.isOthers || this.used.has(index - 1)) return NO_ROLE;
    return isRoleLine(line)
      ? { role: roleText(line.text), isKnown: true, index: index - 1 }
      : NO_ROLE;
  }

  /** The name under a quotation is its speaker's. */
  private isQuoted(index: number): boolean {
    const before = this.lines[index - 1];
    if (before === undefined) return false;
    return before.isOthers || (before.text.length > 30 && /^["“„«»]|["”“»]\s*$/u.test(before.text));
  }
}

function isRoleLine({ text, isOthers }: TeamLine): boolean {
  const role = isOthers || text.length > MAX_ROLE_LINE_CHARS ? undefined : roleText(text);
  return role !== undefined && isKnownRole(role);
}

/** "CTO at Contoso", "VP @ Contoso": the rest begins with a capital. */
const EMPLOYER = /(?:\s(?:at|bei|chez|presso)\s|\s?@\s?)(\p{Lu}[^,;|]{1,80})$/u;
const LEGAL_FORM =
  /(?:^|[,–—|@-]\s?|\s(?:at|of|bei)\s)([^,–—|@]{2,80}\s(?:inc|llc|ltd|limited|gmbh|ag|corp|corporation|plc|pty|sarl|sas|srl|bv|oy|ab|kg)\.?)$/iu;
/** "Design Lead, MetaLab": a word with a capital inside is a brand, not a department. */
const BRAND = /,\s((?:\p{Lu}[^\s,;|]{0,30}\s){0,2}\p{L}{0,30}\p{Ll}\p{Lu}\p{L}{0,30})$/u;
/** So many people of one page, and most, are a company's own, whatever its site is called. */
const OWN_PEOPLE = 2;

/**
 * Roles that name a company other than the one whose site this is: those of customers and partners
 * who are quoted. A company that several people of the page work for is its own.
 */
export function rolesElsewhere(roles: readonly string[], url: string): ReadonlySet<string> {
  const site = keyOf(ownLabel(domainOf(url)));
  const named = roles.flatMap((role) => {
    const name = LEGAL_FORM.exec(role)?.[1] ?? EMPLOYER.exec(role)?.[1] ?? BRAND.exec(role)?.[1];
    return name === undefined ? [] : [{ role, name: keyOf(name), first: firstOf(name) }];
  });
  const people = new Map<string, number>();
  for (const { name } of named) people.set(name, (people.get(name) ?? 0) + 1);
  const elsewhere = named.filter(({ name, first }) => {
    const isNamedLikeSite = name.includes(site) || (first.length > 2 && site.includes(first));
    const count = people.get(name) ?? 0;
    return !isNamedLikeSite && (count < OWN_PEOPLE || 2 * count <= named.length);
  });
  return new Set(elsewhere.map(({ role }) => role));
}

const keyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** The word that tells companies apart: `Acme` of "Acme Tools Inc.". */
const firstOf = (name: string): string => keyOf(name.trim().split(/\s+/)[0] ?? '');

/**
 * Subject of the part of a page around a line: the company's people, anything (people
 * may be among it), nothing of the kind, or other people.
 */
type PartSubject = 'team' | 'open' | 'shut' | 'others';

/**
 * The part of each line. All of a team page presents people, and so does the text under a
 * heading such as "Our team" until the next heading of its level; headings such as "Testimonials"
 * bar what is under them. Without such a heading an about page may present people anywhere.
 * @param isName whether a heading is a person's name, and so divides nothing
 */
function partsOf(
  lines: readonly TeamLine[],
  subject: 'team' | 'about' | 'other',
  isName: (line: TeamLine) => boolean,
): readonly PartSubject[] {
  const turns = lines.map((line) => (line.isHeading && !isName(line) ? turnOf(line) : 'none'));
  const rest = restOf(subject, turns.includes('team'));
  let part: PartSubject = rest;
  let level = 7;
  return lines.map((line, index) => {
    const turn = turns[index];
    if (turn === 'team' || turn === 'others') {
      part = turn;
      level = line.level;
    } else if (turn === 'heading' && line.level <= level) part = rest;
    return part;
  });
}

/** Subject of a page outside of the parts that its headings name. */
function restOf(subject: 'team' | 'about' | 'other', hasTeamHeading: boolean): PartSubject {
  if (subject === 'team') return 'team';
  return subject === 'about' && !hasTeamHeading ? 'open' : 'shut';
}

function turnOf({ text, level }: TeamLine): 'team' | 'others' | 'heading' | 'none' {
  if (isOtherPeopleHeading(text)) return 'others';
  if (isTeamHeading(text)) return 'team';
  // A line that is only bold divides nothing.
  return level < 7 ? 'heading' : 'none';
}
