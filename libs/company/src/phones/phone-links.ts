import { collapse, textOf } from '@app/content';
import { type ChildNode, type Element, isTag } from 'domhandler';
import { marksOf } from '../page/own-voice.js';
import { type SurveyedPage } from '../page/page-survey.js';
import { AMERICAN, BARE, ELSEWHERE, VANITY, WITH_PREFIX } from './number-patterns.js';
import { type NumberReader } from './number-reader.js';
import { isFaxAfter, type PhoneLabel, phoneLabel } from './phone-labels.js';
import { type PhoneSet } from './phone-set.js';
import { dialledText } from './phone-text.js';

/** Links examined on one page. */
const MAX_LINKS = 2_000;

/** Numbers that links dial; one named fax, in its text or beside it, is marked so. */
export function readPhoneLinks({ page, survey, voice }: SurveyedPage, phones: PhoneSet): void {
  const links = new Map(survey.links.map((link) => [link.element, link]));
  let left = MAX_LINKS;
  for (const element of page.parsed.anchors) {
    const dialled = dialledText(element.attribs.href ?? '');
    if (dialled === undefined) continue;
    if (--left < 0) break;
    const link = links.get(element);
    if (link !== undefined && voice.isOthers(link)) continue;
    readLink(element, dialled, phones);
  }
}

/** The spelling for readers is that of the link's text, where the text is a number. */
function readLink(element: Element, dialled: string, phones: PhoneSet): void {
  const text = collapse(textOf(element, 200));
  const shown = numberIn(text, phones.reader);
  const before = shown === undefined ? text : text.slice(0, text.indexOf(shown));
  const label = isFaxAfter(text.slice(before.length + (shown?.length ?? 0)))
    ? 'fax'
    : linkLabel(element, before);
  if (shown === undefined) phones.add(dialled, label, 2);
  else phones.add(shown, label, 3);
}

function numberIn(text: string, reader: NumberReader): string | undefined {
  for (const pattern of [WITH_PREFIX, AMERICAN, VANITY, ELSEWHERE, BARE]) {
    const [match] = text.match(pattern) ?? [];
    const read = match === undefined ? undefined : reader.read(match);
    if (read !== undefined) return read.shown;
  }
  return undefined;
}

function linkLabel(element: Element, before: string): PhoneLabel {
  const inText = phoneLabel(before);
  if (inText === 'fax' || inText === 'phone') return inText;
  const { prev, parent, attribs } = element;
  const outer = parent !== null && isTag(parent) ? parent.attribs : {};
  if (/(?:^|[\s_-])fax(?:[\s_-]|$)/i.test(`${marksOf(attribs)} ${marksOf(outer)}`)) return 'fax';
  return phoneLabel(textOfNode(prev)) === 'fax' ? 'fax' : 'phone';
}

function textOfNode(node: ChildNode | null): string {
  if (node === null) return '';
  if (isTag(node)) return textOf(node, 60);
  return 'data' in node ? node.data : '';
}
