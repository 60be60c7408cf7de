import type { FileContent } from '../files/file-content.js';
import { UnreadableFile } from '../files/unreadable-file.js';
import { decodeBody, sniffCharset } from '../charset/sniff-charset.js';
import { escapeHtmlText } from '../html/escape-html.js';
import { MAX_METADATA_CHARS } from '../limits.js';
import type { MailHeader } from './mail-header.js';
import { bodyBytes, mailsIn, MailReader, type MailPart } from './mail-parts.js';
import { plainBodyHtml } from './plain-body.js';

/**
 * A mail (RFC 5322), or those of a mailbox in their order, with its header as a table, its text, and its attachments by
 * name, type and size. Of alternatives the HTML is read; attachments are not, but for mails.
 * @throws {UnreadableFile}
 */
export function readEml(bytes: Uint8Array): FileContent {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const reader = new MailReader();
  const titles: (string | undefined)[] = [];
  const html: string[] = [];
  for (const one of mailsIn(source)) {
    if (reader.stops()) break;
    const mail = reader.read(one);
    titles.push(mail.header.text('subject'));
    const attachments: string[] = [];
    writeMail(mail, html, attachments);
    if (attachments.length > 0)
      html.push(`<h2>Attachments</h2><ul>${attachments.map(itemHtml).join('')}</ul>`);
  }
  if (titles.length === 1 && html.includes(ENCRYPTED))
    throw new UnreadableFile('encrypted', 'is encrypted');
  return {
    html,
    title: titles[0]?.slice(0, MAX_METADATA_CHARS),
    cut: reader.isCut ? 'max_parts' : undefined,
  };
}

/** In place of a text in a mailbox; one mail is refused. */
const ENCRYPTED = '<p><em>Encrypted text, left out.</em></p>';

const itemHtml = (text: string): string => `<li>${escapeHtmlText(text)}</li>`;

const FIELDS = ['From', 'To', 'Cc', 'Date'] as const;

function writeMail(mail: MailPart, html: string[], attachments: string[]): void {
  html.push(headHtml(mail.header));
  writePart(mail, html, attachments);
}

function headHtml(header: MailHeader): string {
  const subject = header.text('subject');
  const rows = FIELDS.map((name) => [name, header.text(name.toLowerCase())] as const)
    .filter(([, text]) => text !== undefined)
    .map(([name, text = '']) => `<tr><td>${name}</td><td>${escapeHtmlText(text)}</td></tr>`);
  const title = subject === undefined ? '' : `<h1>${escapeHtmlText(subject)}</h1>`;
  return rows.length === 0 ? title : `${title}<table role="table">${rows.join('')}</table>`;
}

function writePart(part: MailPart, html: string[], attachments: string[]): void {
  const { type, parts, header } = part;
  if (isAttached(part)) return void attachments.push(attachmentText(part));
  if (type === 'multipart/encrypted') return void html.push(ENCRYPTED);
  if (type === 'message/rfc822') {
    for (const mail of parts) writeMail(mail, html, attachments);
  } else if (type === 'multipart/alternative') {
    const chosen = parts.findLast(holdsHtml) ?? parts.findLast(holdsText) ?? parts.at(-1);
    if (chosen !== undefined) writePart(chosen, html, attachments);
  } else if (type.startsWith('multipart/')) {
    for (const one of parts) writePart(one, html, attachments);
  } else if (type === 'text/html') {
    const bytes = bodyBytes(part);
    html.push(decodeBody(bytes, sniffCharset(bytes, header.raw('content-type') ?? 'text/html')));
  } else if (isPlain(type)) {
    const bytes = bodyBytes(part);
    const declared = header.raw('content-type') ?? 'text/plain';
    const isFlowed = part.parameters.get('format')?.toLowerCase() === 'flowed';
    html.push(plainBodyHtml(decodeBody(bytes, sniffCharset(bytes, declared)), isFlowed));
  } else attachments.push(attachmentText(part));
}

/** Reports of mail servers are text, too (RFC 3464). */
const isPlain = (type: string): boolean =>
  type === 'text/plain' || type === 'message/delivery-status';

const holdsHtml = ({ type, parts }: MailPart): boolean =>
  type === 'text/html' || (type.startsWith('multipart/') && parts.some(holdsHtml));
const holdsText = ({ type, parts }: MailPart): boolean =>
  isPlain(type) || (type.startsWith('multipart/') && parts.some(holdsText));

/** Mails that are attached are read all the same. */
function isAttached({ header, type }: MailPart): boolean {
  const { value } = header.parametric('content-disposition');
  return value === 'attachment' && type !== 'message/rfc822';
}

function attachmentText(part: MailPart): string {
  const { header, type, parameters } = part;
  const name = header.parametric('content-disposition').parameters.get('filename');
  const shown = (name ?? parameters.get('name') ?? 'without a name').replace(/\s+/g, ' ').trim();
  const bytes = bodyBytes(part).length.toLocaleString('en-US');
  return `${shown} (${type}, ${bytes} bytes)`;
}
