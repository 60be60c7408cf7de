import { personName } from './person-name.js';
import { isKnownRole, isRoleAndNoName, roleText } from './role-words.js';

export interface OneLinePerson {
  readonly name: string;
  readonly role: string;
  /** The role is one by its words. */
  readonly isKnown: boolean;
  /** Named by a disclosure that laws require: "Geschäftsführer: …". Counts anywhere. */
  readonly isOffice: boolean;
}

/** Offices that imprints name before the people who hold them. */
const OFFICE =
  /^(?:geschäftsführer(?:in|innen)?|geschäftsführende[rn]? gesellschafter(?:in)?|geschäftsführung|inhaber(?:in)?|vorstand|vertretungsberechtigte[rn]? (?:geschäftsführer(?:in)?|vorstand|gesellschafter)|managing directors?|proprietor|président(?:e)?|gérante?|directeur de (?:la )?publication|directrice de (?:la )?publication|responsable de (?:la )?publication|legale rappresentante|amministratore unico|titolare|administrador(?:a)? únic[oa]|zaakvoerder|prezes zarządu|代表取締役(?:社長)?)$/iu;
const DIVIDERS = [
  /(?<!\t)\t+/,
  /(?<!\s)\s+[–—|•·‒-]\s+/,
  /:\s+|：/,
  /,\s+/,
  /(?:(?<!\s)\s+)?[（(]/,
] as const;
const MAX_PEOPLE = 10;

const MAX_LINE_CHARS = 240;
const HAS_DIVIDER = /\t|\s[–—|•·‒-]\s|:\s|：|,\s|[（(]/;
/** A capital first, several words, and no sentence. */
const MAY_BEGIN_WITH_NAME = /^[\p{Lu}\p{Lo}]\S{0,40}\s.{2,160}[^.!?:;]$/u;
const OFFICE_LINE = /^[\p{L} ()]{3,60}[:：]/u;

/** People whom a line of any page names by an office: "Geschäftsführer: Max Huber". */
export const officeHolders = (text: string): readonly OneLinePerson[] =>
  OFFICE_LINE.test(text) && OFFICE.test(text.slice(0, text.search(/[:：]/)).trim())
    ? oneLinePeople(text, () => []).filter(({ isOffice }) => isOffice)
    : [];

/**
 * People of one line: "Anna Lee – CEO", "Anna Lee, CEO", "CEO: Anna Lee", "Anna Lee (CEO)", a row
 * of a table, or inline elements side by side.
 * @param segments texts of the line's inline elements
 */
export function oneLinePeople(
  text: string,
  segments: () => readonly string[],
): readonly OneLinePerson[] {
  if (text.length > MAX_LINE_CHARS) return [];
  for (const divider of HAS_DIVIDER.test(text) ? DIVIDERS : []) {
    const found = dividedAt(text, divider);
    if (found.length > 0) return found;
  }
  if (!MAY_BEGIN_WITH_NAME.test(text)) return [];
  const [first = '', second = ''] = segments();
  const name = nameIn(first.replace(/[,:–—-]\s*$/, ''));
  const role = roleText(second);
  // Only the whole line: what follows would be of the next person.
  if (name === undefined || role === undefined || !text.startsWith(first)) return [];
  return isKnownRole(role) ? [{ name, role, isKnown: true, isOffice: false }] : [];
}

function nameIn(text: string): string | undefined {
  const name = personName(text);
  return name === undefined || isRoleAndNoName(text) ? undefined : name;
}

function dividedAt(text: string, divider: RegExp): readonly OneLinePerson[] {
  const match = divider.exec(text);
  if (match === null || match.index === 0) return [];
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  const name = nameIn(before);
  if (name === undefined) return divider.source === ',\\s+' ? [] : rolePeople(before, after);
  const role = roleText(after.replace(/[)）]\s*$/, '').split('\t')[0] ?? '');
  if (role === undefined) return [];
  const isKnown = isKnownRole(role);
  // A comma and a bracket divide much else: they only mark known roles.
  const isDash = divider === DIVIDERS[1];
  return isKnown || isDash ? [{ name, role, isKnown, isOffice: false }] : [];
}

/** "Geschäftsführer: Max Huber, Eva Klein" */
function rolePeople(before: string, after: string): readonly OneLinePerson[] {
  const role = roleText(before);
  if (role === undefined || !isKnownRole(role)) return [];
  const isOffice = OFFICE.test(role);
  return after
    .replace(/[)）.]\s*$/, '')
    .split(/(?:(?<!\s)\s+)?(?:,|;|\/|&|\bund\b|\band\b|\bet\b|\by\b|\be\b)\s+|、/u)
    .slice(0, MAX_PEOPLE)
    .flatMap((part) => {
      const name = nameIn(part);
      return name === undefined ? [] : [{ name, role, isKnown: true, isOffice }];
    });
}
