import { isOtherPeopleHeading, isTeamHeading } from './team-words.js';
import { type TeamLine } from './team-line.js';

/**
 * Subject of the part of a page around a line: the company's people, anything (people
 * may be among it), nothing of the kind, or other people.
 */
export type PartSubject = 'team' | 'open' | 'shut' | 'others';

/**
 * The part of each line. All of a team page presents people, and so does the text under a
 * heading such as "Our team" until the next heading of its level; headings such as "Testimonials"
 * bar what is under them. Without such a heading an about page may present people anywhere.
 * @param isName whether a heading is a person's name, and so divides nothing
 */
export function partsOf(
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
