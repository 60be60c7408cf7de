import { type PageLine } from '@app/content';
import { type Element, isTag, type ParentNode } from 'domhandler';

/** Blocks that only float over the page, and lists of the company's own places: its own words. */
const FLOATING =
  /(?:^|[\s_-])(?:modal|popup|pop-up|cookie\w*|(?:other|related|nearby)-?locations)(?:[\s_-]|$)/i;
/** What customers and readers say, whatever the survey makes of it. */
const VOICES =
  /(?:^|[\s_-])(?:testimonials?|reviews?|comments?|comment-?list|quotes?|kundenstimmen?|referenzen|temoignages?|recensioni|opiniones|avis|depoimentos)(?:[\s_-]|$)/i;
const MAX_CLIMB = 40;

/** Separates the company's own words on a page from those of customers, readers and partners. */
export class OwnVoice {
  private readonly known = new Map<ParentNode, boolean>();

  isOthers(line: Pick<PageLine, 'region' | 'element'>): boolean {
    return this.isInVoice(line.element) || (line.region === 'other' && !isFloating(line.element));
  }

  /** Each element is asked once: neighbours share their ancestors. */
  private isInVoice(start: Element): boolean {
    const trail: Element[] = [];
    let isVoice = false;
    for (let node: ParentNode | null = start; node !== null && isTag(node); node = node.parent) {
      const known = this.known.get(node);
      isVoice = known ?? isVoiceMark(node);
      if (known !== undefined || isVoice) break;
      trail.push(node);
    }
    for (const node of trail) this.known.set(node, isVoice);
    return isVoice;
  }
}

function isVoiceMark({ name, attribs }: Element): boolean {
  if (name === 'blockquote') return true;
  // The body's classes speak of the whole page.
  if (name === 'body' || name === 'html' || name === 'main') return false;
  return VOICES.test(marksOf(attribs));
}

function isFloating(start: Element): boolean {
  let node: ParentNode | null = start;
  for (let step = 0; node !== null && isTag(node) && step < MAX_CLIMB; step++) {
    if (FLOATING.test(marksOf(node.attribs))) return true;
    node = node.parent;
  }
  return false;
}

export const marksOf = (attribs: Readonly<Record<string, string>>): string =>
  `${attribs.id ?? ''} ${attribs.class ?? ''}`.slice(0, 300);
