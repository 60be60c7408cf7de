import { type Element, isTag } from 'domhandler';
import { textOfValue } from '@app/content';
import { isSameOrganization } from '../domain.js';
import { MAX_PAGE_EMAILS } from '../limits.js';
import { type SurveyedPage } from '../page/page-survey.js';
import { isContactAddress, isCredited } from './email-filter.js';
import { encodedAddresses, reversed } from './encoded-address.js';
import { linkedAddresses } from './mail-link.js';
import { plainAddresses } from './plain-address.js';
import { spelledAddresses } from './spelled-address.js';

/** Marks of spelled addresses examined on one page. */
const MAX_SPELLED_MARKS = 2_000;
const MAX_CONTEXT_CHARS = 120;

/**
 * Mail addresses by which the page says its company is reached: of links, text (spelled ones, too),
 * attributes and scripts that hide them from harvesters, and JSON-LD. In this order, distinct but
 * for case.
 */
export function findEmails(surveyed: SurveyedPage): readonly string[] {
  const { domain } = surveyed;
  const found = new EmailSet(domain);
  for (const text of surveyed.markings.reversed) readReversed(text, found);
  readLines(surveyed, found);
  readLinks(surveyed, found);
  for (const element of surveyed.markings.encoded)
    for (const address of encodedAddresses(element)) found.add(address);
  for (const text of surveyed.markings.scripted)
    for (const { address } of plainAddresses(text, 5)) found.add(address);
  for (const text of statedEmails(surveyed))
    for (const { address } of plainAddresses(text, 5)) found.add(address);
  return found.list();
}

/** What JSON-LD and meta elements say, in text. */
const statedEmails = ({ nodes, markings }: SurveyedPage): readonly string[] => [
  ...nodes.map(({ item }) => (textOfValue(item.email) ?? '').replace(/^\s*mailto:/i, '')),
  ...markings.statedEmails,
];

class EmailSet {
  private readonly known = new Map<string, string>();
  private readonly refused = new Set<string>();

  constructor(private readonly domain: string) {}

  /** `before`: the text in front of the address, which may name another owner. */
  add(address: string, before = ''): void {
    const key = address.toLowerCase();
    if (this.known.size >= MAX_PAGE_EMAILS || this.known.has(key) || this.refused.has(key)) return;
    if (!isContactAddress(key, this.domain)) return;
    const host = key.slice(key.lastIndexOf('@') + 1);
    if (before !== '' && !isSameOrganization(host, this.domain) && isCredited(before))
      this.refuse(address);
    else this.known.set(key, address);
  }

  /** The address is none of the company, anywhere on the page. */
  refuse(address: string): void {
    if (this.refused.size < MAX_PAGE_EMAILS) this.refused.add(address.toLowerCase());
  }

  list(): readonly string[] {
    return [...this.known.values()];
  }
}

/** The text has it backwards; what it seems to say there is no address. */
function readReversed(text: string, found: EmailSet): void {
  for (const { address } of plainAddresses(text, 5)) found.refuse(address);
  for (const { address } of plainAddresses(reversed(text), 5)) found.add(address);
}

function readLines({ survey, domain, voice }: SurveyedPage, found: EmailSet): void {
  const budget = { left: MAX_SPELLED_MARKS };
  for (const line of survey.lines) {
    const { text } = line;
    const plain = text.includes('@') ? plainAddresses(text, MAX_PAGE_EMAILS) : [];
    const addresses = [...plain, ...spelledAddresses(text, domain, budget)];
    if (addresses.length === 0 || voice.isOthers(line)) continue;
    for (const { address, index } of addresses)
      found.add(address, text.slice(Math.max(0, index - MAX_CONTEXT_CHARS), index));
  }
}

function readLinks({ page, survey, voice }: SurveyedPage, found: EmailSet): void {
  const regions = new Map(survey.links.map((link) => [link.element, link]));
  for (const element of page.parsed.anchors) {
    const { href = '' } = element.attribs;
    if (!/^\s*mailto:|email-protection#|UnCryptMailto/i.test(href)) continue;
    const link = regions.get(element);
    if (link !== undefined && voice.isOthers(link)) continue;
    const before = textBefore(element);
    for (const address of linkedAddresses(href)) found.add(address, before);
  }
}

/** The text in front of a link in the same block. */
function textBefore(element: Element): string {
  const { prev, parent } = element;
  if (prev !== null && 'data' in prev && prev.data.trim() !== '')
    return `${prev.data.slice(-MAX_CONTEXT_CHARS)} `;
  const before = parent !== null && isTag(parent) ? parent.prev : null;
  return before !== null && 'data' in before ? before.data.slice(-MAX_CONTEXT_CHARS) : '';
}
