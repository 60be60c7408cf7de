/** A mail as a person would see it. */
export interface ReadMail {
  /** Names in lower case, folded lines joined; a header that came twice has both, one per line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Reads a mail of one part (RFC 5322, 2.1; RFC 2045, 6): the mails of this service. Throws at
 * anything else.
 */
export function readMail(raw: string): ReadMail {
  const end = raw.indexOf('\r\n\r\n');
  if (end < 0) throw new Error('a mail without a body');
  const headers: Record<string, string> = {};
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+):[ \t]*(?![ \t])(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no header: ${line}`);
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}\n${value}`;
  }
  return { headers, text: decoded(raw.slice(end + 4), headers) };
}

function decoded(body: string, headers: Readonly<Record<string, string>>): string {
  const type = headers['content-type'] ?? '';
  if (!/^text\/plain\b/.test(type)) throw new Error(`a mail of type ${type}`);
  const encoding = headers['content-transfer-encoding'] ?? '7bit';
  return bytesOf(body, encoding).toString('utf8').replaceAll('\r\n', '\n').trim();
}

function bytesOf(body: string, encoding: string): Buffer {
  switch (encoding.toLowerCase()) {
    case '7bit':
    case '8bit':
      return Buffer.from(body, 'latin1');
    case 'base64':
      return Buffer.from(body, 'base64');
    case 'quoted-printable':
      return Buffer.from(unquoted(body), 'latin1');
    default:
      throw new Error(`a mail encoded as ${encoding}`);
  }
}

function unquoted(body: string): string {
  return body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
