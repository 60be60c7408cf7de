import { textOf, walk, parseHtml } from '@app/content';
import type { Document, Element } from 'domhandler';

/** What attributes and scripts of a page hold that its text does not show. */
export interface Markings {
  /** Elements with an attribute that may spell a mail address, in document order. */
  readonly encoded: readonly Element[];
  /** Texts that the page shows backwards, as they are in the source. */
  readonly reversed: readonly string[];
  /** Texts that scripts put together of literals. */
  readonly scripted: readonly string[];
  /** Addresses of background pictures of the page's opening, in document order. */
  readonly backgrounds: readonly string[];
  /** Facebook page that the page names as its publisher. */
  readonly publisher: string | undefined;
  /** Contents of Open Graph's elements for mail addresses and phone numbers. */
  readonly statedEmails: readonly string[];
  readonly statedPhones: readonly string[];
}

const MAX_ENCODED = 500;
const MAX_REVERSED = 50;
const MAX_STATED = 10;
const MAX_BACKGROUNDS = 5;
const MAX_SCRIPT_CHARS = 300_000;

/** Data attributes that carry a mail address or a part of one. */
const ENCODING =
  /^data-(?:e-?mail|mail|mailto|mailto-token|mailbox|user|username|name|local|u|part1|enc-email|contact)$/;
const BACKWARDS = /unicode-bidi\s*:\s*bidi-override/i;
const BACKGROUND = /background(?:-image)?\s*:[^;]{0,200}?url\(\s*['"]?([^'")\s]{1,2000})/i;
const OPENING = /hero|banner|jumbotron|masthead|cover|splash|intro|slide/i;

export function surveyMarkings(document: Document): Markings {
  const surveyor = new MarkingSurveyor();
  walk(document, surveyor);
  return surveyor;
}

class MarkingSurveyor implements Markings {
  readonly encoded: Element[] = [];
  readonly reversed: string[] = [];
  readonly scripted: string[] = [];
  readonly backgrounds: string[] = [];
  publisher: string | undefined;
  readonly statedEmails: string[] = [];
  readonly statedPhones: string[] = [];
  private scriptChars = 0;

  text(): void {
    // Text is the line survey's.
  }

  enter(element: Element): boolean {
    if (element.name === 'script') return this.script(element);
    const { attribs } = element;
    if (this.encoded.length < MAX_ENCODED && isEncoded(attribs)) this.encoded.push(element);
    if (element.name === 'meta') this.meta(attribs);
    const { style = '' } = attribs;
    const isBackwards = style !== '' ? BACKWARDS.test(style.slice(0, 500)) : isReversing(element);
    if (isBackwards && this.reversed.length < MAX_REVERSED)
      this.reversed.push(textOf(element, 200).trim());
    if (style !== '') this.background(element, style.slice(0, 3_000));
    return element.name !== 'style' && element.name !== 'svg';
  }

  private meta({ property = '', content = '' }: Readonly<Record<string, string>>): void {
    if (property === 'article:publisher') this.publisher ??= content;
    const isEmail = property === 'business:contact_data:email' || property === 'og:email';
    const isPhone =
      property === 'business:contact_data:phone_number' || property === 'og:phone_number';
    if (isEmail && this.statedEmails.length < MAX_STATED) this.statedEmails.push(content);
    if (isPhone && this.statedPhones.length < MAX_STATED) this.statedPhones.push(content);
  }

  private script(element: Element): false {
    const [first] = element.children;
    if (first === undefined || !('data' in first) || this.scriptChars > MAX_SCRIPT_CHARS)
      return false;
    const source = first.data.slice(0, MAX_SCRIPT_CHARS);
    this.scriptChars += source.length;
    this.scripted.push(...scriptLiterals(source));
    return false;
  }

  private background({ attribs }: Element, style: string): void {
    if (this.backgrounds.length >= MAX_BACKGROUNDS) return;
    const marks = `${attribs.id ?? ''} ${attribs.class ?? ''}`.slice(0, 300);
    const url = OPENING.test(marks) ? BACKGROUND.exec(style)?.[1] : undefined;
    if (url !== undefined) this.backgrounds.push(url);
  }
}

const isReversing = ({ name, attribs }: Element): boolean =>
  name === 'bdo' && attribs.dir?.toLowerCase() === 'rtl';

function isEncoded(attribs: Readonly<Record<string, string>>): boolean {
  for (const name in attribs) if (name.startsWith('data-') && ENCODING.test(name)) return true;
  return false;
}

/** `addy12 = '…' + '…'`, as Joomla's cloak writes it, with its start on the line before. */
const CLOAK =
  /\b(addy\w{0,80})\s{0,5}=\s{0,5}((?:addy\w{0,80}\s{0,5}\+\s{0,5})?'[^'\n]{0,200}'(?:\s{0,5}\+\s{0,5}'[^'\n]{0,200}'){0,10})/g;
/** `'info' + '@' + 'acme.com'`, however it is then written into the page. */
const JOINED =
  /['"]([\w.+-]{1,64})['"]\s{0,5}\+\s{0,5}(?:['"](?:@|&#64;)['"]|String\.fromCharCode\(64\))\s{0,5}\+\s{0,5}['"]([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4})['"]/gi;
const MAX_FOUND = 50;

/** Texts that scripts spell in pieces so that they are not in the source. */
function scriptLiterals(source: string): readonly string[] {
  if (!/@|&#|fromCharCode\(64/.test(source)) return [];
  const joined = [...source.matchAll(JOINED)].map(([, user = '', host = '']) => `${user}@${host}`);
  return [...joined, ...cloaked(source)].slice(0, MAX_FOUND);
}

function cloaked(source: string): readonly string[] {
  if (!source.includes('addy')) return [];
  const texts = new Map<string, string>();
  for (const [, name = '', literals = ''] of source.matchAll(CLOAK)) {
    const text = [...literals.matchAll(/'([^']{0,200})'/g)].map(([, part = '']) => part).join('');
    texts.set(name, literals.startsWith('addy') ? (texts.get(name) ?? '') + text : text);
    if (texts.size > MAX_FOUND) break;
  }
  return [...texts.values()].map((text) => decoded(text.slice(0, 500)));
}

function decoded(text: string): string {
  let plain = '';
  walk(parseHtml(text), { text: (data) => void (plain += data), enter: () => true });
  return plain;
}
