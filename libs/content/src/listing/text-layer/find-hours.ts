import { type OpeningHours } from '@app/contracts';
import { type Found } from '../listing-values.js';
import { type Day } from '../hours/day-names.js';
import { EVERY_DAY, parseHours, type ParsedHours } from '../hours/parse-hours.js';
import { Week } from '../hours/week.js';
import { type PageLine } from '../page-text/page-line.js';
import { selectorOf } from '../page-text/selector-of.js';
import { isOwn, type TextPage } from './text-page.js';

const MAIN_LABEL =
  /\b(?:hours|opening|open|business times|öffnungszeiten|horaires|horarios?|orari|openingstijden|when)\b/i;
/** Hours of something else than the house. */
const SIDE_LABEL =
  /\b(?:kitchen|pharmacy|happy hour|delivery|drive[- ]?thr|food served|bar hours|breakfast|lunch|brunch|dinner|worship|services?:|check[- ]?(?:in|out)|phone hours|call center|support|holiday|quiet|pool|lobby|parts|service department|service hours|emergency|delivery|curbside|visiting)\b/i;
const ALWAYS =
  /\bopen(?:ed)?\b.{0,20}24|24.{0,30}\bopen\b|^\W*24\s?\/\s?7\W*$|24 hours a day,? (?:7|seven) days/i;
/** Lines without hours that may be inside a timetable. */
const MAX_GAP = 2;
const LABEL_LINES = 3;
const MAX_LINE_CHARS = 500;
const MIN_UNLABELLED_DAYS = 3;
const MAX_BLOCKS = 100;
/** Lines with days or times that are read; no page about one place has as many. */
const MAX_TIMED_LINES = 2_000;

interface Block {
  readonly week: Week;
  readonly line: PageLine;
  readonly label: string;
  end: number;
  isAlways: boolean;
}

/** The timetable of the page: the fullest one, hours of its kitchen or pharmacy last. */
export function findHours(page: TextPage): Found<OpeningHours> | undefined {
  const language = page.identity.language.slice(0, 2).toLowerCase();
  let best: { readonly block: Block; readonly points: number } | undefined;
  for (const block of blocksOf(page, language)) {
    const points = pointsOf(block);
    if (points > 0 && (best === undefined || points > best.points)) best = { block, points };
  }
  const hours = best?.block.week.finish();
  return best === undefined || hours === undefined
    ? undefined
    : { value: hours, path: selectorOf(best.block.line.element) };
}

function pointsOf({ week, label, isAlways }: Block): number {
  if (SIDE_LABEL.test(label)) return week.size * 0.1;
  const isLabelled = MAIN_LABEL.test(label);
  // One or two days alone are a course or an event.
  if (!isLabelled && !isAlways && week.size < MIN_UNLABELLED_DAYS) return 0;
  return (isAlways ? 2 : week.size) + (isLabelled ? 3 : 0);
}

/** Timetables in the order of the page. A new label, or lines about something else, end one. */
class BlockReader {
  readonly blocks: Block[] = [];
  private open: Block | undefined;
  private days: readonly Day[] = [];
  private timed = 0;

  constructor(
    private readonly lines: readonly PageLine[],
    private readonly language: string,
  ) {}

  read(line: PageLine, index: number): void {
    if (this.open !== undefined && index - this.open.end > MAX_GAP + 1) this.open = undefined;
    const isTimed = this.timed < MAX_TIMED_LINES && MIGHT_BE_HOURS.test(line.text);
    if (isTimed) this.timed++;
    if (this.open === undefined && !isTimed) this.days = [];
    const parsed = isTimed ? parseHours(line.text, this.language) : NOTHING;
    const said = whatLineSays(parsed, line.text, this.days);
    this.days = daysAwaitingTimes(parsed, this.days, said.length > 0);
    if (this.startsAnew(line, said)) this.open = undefined;
    if (said.length === 0) return;
    this.open ??= this.openBlock(line, index);
    addTo(this.open, said, index);
  }

  private openBlock(line: PageLine, index: number): Block {
    const label = labelBefore(this.lines, index);
    const block = { week: new Week(), line, label, end: index, isAlways: true };
    this.blocks.push(block);
    return block;
  }

  /** A label of its own, alone or before hours of another kind. */
  private startsAnew(line: PageLine, said: Said): boolean {
    const isSide = SIDE_LABEL.test(line.text.slice(0, 60));
    if (said.length > 0) return isSide && !SIDE_LABEL.test(this.open?.label ?? '');
    return isLabel(line) && (isSide || (line.isHeading && MAIN_LABEL.test(line.text)));
  }
}

function blocksOf(page: TextPage, language: string): readonly Block[] {
  const { lines } = page.survey;
  const reader = new BlockReader(lines, language);
  lines.forEach((line, index) => {
    const isRead = line.text.length <= MAX_LINE_CHARS && isOwn(line, page);
    if (isRead && reader.blocks.length < MAX_BLOCKS) reader.read(line, index);
  });
  return reader.blocks;
}

const NOTHING: ParsedHours = { groups: [], loose: [], isAlways: false, words: 0 };
/** A day, a time or a word of timetables; all other lines are passed over unread. */
const MIGHT_BE_HOURS =
  /\d\s?[ap]\.?m?\b|\d[:.h]\d\d|\d\s?(?:h|uhr)\b|\b24\b|noon|midnight|closed|geschlossen|ruhetag|ferm|cerrado|chiuso|gesloten|daily|week|every|\b(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|gio|mont|dien|mitt|donn|frei|sams|sonn|ma|wo|vr|za|zo|seg|ter|qua|qui|sex)\p{L}{0,7}\b|\bM\b|\d\s?[-–—]\s?\d/iu;

type Said = readonly {
  readonly days: readonly Day[];
  readonly ranges: readonly string[];
  isAlways?: boolean;
}[];

function whatLineSays(parsed: ParsedHours, text: string, days: readonly Day[]): Said {
  const timed = parsed.groups.filter(({ ranges }) => ranges.length > 0);
  if (timed.length > 0) return timed;
  if (parsed.groups.length === 0 && days.length > 0 && parsed.loose.length > 0 && parsed.words <= 4)
    return [{ days, ranges: parsed.loose }];
  if ((parsed.isAlways || parsed.loose.length > 0) && ALWAYS.test(text) && parsed.words <= 8)
    return [{ ...EVERY_DAY, isAlways: true }];
  return [];
}

/** Days of a line of their own wait for the times below, as in a definition list. */
function daysAwaitingTimes(
  parsed: ParsedHours,
  before: readonly Day[],
  wasUsed: boolean,
): readonly Day[] {
  const last = parsed.groups.at(-1);
  if (last !== undefined) return parsed.words <= 3 ? last.days : [];
  return wasUsed || parsed.words <= 2 ? before : [];
}

function addTo(block: Block, said: Said, index: number): void {
  for (const { days, ranges, isAlways } of said) {
    if (isAlways !== true) block.isAlways = false;
    for (const day of days) for (const range of ranges) block.week.add(day, range);
  }
  block.end = index;
}

const isLabel = ({ isHeading, text }: PageLine): boolean => isHeading || text.length <= 40;

/** The line itself and the short ones before it. */
function labelBefore(lines: readonly PageLine[], index: number): string {
  const own = lines[index]?.text.slice(0, 60) ?? '';
  for (let step = 1; step <= LABEL_LINES; step++) {
    const line = lines[index - step];
    if (line === undefined || !isLabel(line)) break;
    if (line.isHeading || MAIN_LABEL.test(line.text) || SIDE_LABEL.test(line.text))
      return `${line.text} ${own}`;
  }
  return own;
}
