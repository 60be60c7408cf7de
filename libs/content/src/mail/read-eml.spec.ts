import { fileMarkdown } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { MAX_MAIL_DEPTH, MAX_MAIL_PARTS } from '../limits.js';

const EML = { name: 'a.eml' };
const HEAD = 'From: Ann <ann@tides.example>\r\nTo: Bob <bob@tides.example>\r\n';
const TABLE =
  '| From | Ann \\<ann@tides.example> |\n| --- | --- |\n| To | Bob \\<bob@tides.example> |\n';

const mail = (fields: string, body: string): Buffer =>
  Buffer.from(`${HEAD}${fields}\r\n${body}`, 'latin1');
const multipart = (kind: string, ...parts: readonly string[]): Buffer =>
  mail(
    `Content-Type: multipart/${kind}; boundary="b1"\r\n`,
    `Preamble\r\n${parts.map((part) => `--b1\r\n${part}\r\n`).join('')}--b1--\r\nEpilogue`,
  );
const read = (bytes: Uint8Array): Promise<string> => fileMarkdown(bytes, EML);
const bodyOf = async (bytes: Uint8Array): Promise<string> => {
  const markdown = await read(bytes);
  expect(markdown.startsWith(TABLE)).toBe(true);
  return markdown.slice(TABLE.length).trim();
};

describe('readEml', () => {
  it('shows its header, text and format', async () => {
    const bytes = mail(
      'Subject: =?utf-8?Q?High_w=C3=A4ter?=\r\nDate: Fri, 1 Mar 2024 10:00:00 +0100\r\nCc: a@b.example,\r\n\tc@d.example\r\nX-Other: x\r\n',
      'Hello\r\nBob,\r\n\r\nsee *you*.\r\n',
    );
    expect(await readFile(bytes, { hint: EML })).toMatchObject({
      ok: true,
      file: { format: 'eml', title: 'High wäter' },
    });
    expect(await read(bytes)).toBe(
      '# High wäter\n\n| From | Ann \\<ann@tides.example> |\n| --- | --- |\n| To | Bob \\<bob@tides.example> |\n' +
        '| Cc | a@b.example, c@d.example |\n| Date | Fri, 1 Mar 2024 10:00:00 +0100 |\n\nHello\\\nBob,\n\nsee \\*you\\*.\n',
    );
  });

  it.each<[string, string, string]>([
    ['Q', '=?iso-8859-1?q?Gr=F6=DFe?=', 'Größe'],
    ['B', '=?UTF-8?B?R3LDtsOfZQ==?=', 'Größe'],
    ['a character cut in two', '=?utf-8?Q?=C3?=\r\n =?utf-8?Q?=A4?=', 'ä'],
    ['words beside text', 'a =?utf-8?Q?b?= c', 'a b c'],
    ['words of two encodings', '=?utf-8?Q?=C3=A4?= =?koi8-r?Q?=C4?=', 'äд'],
    ['bytes of UTF-8', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['bytes of Windows', 'Gr\xf6\xdfe', 'Größe'],
    ['what is no word', '=?utf-8?Q?a', '=?utf-8?Q?a'],
  ])('decodes a subject: %s', async (_, subject, text) => {
    const result = await readFile(mail(`Subject: ${subject}\r\n`, 'x'), { hint: EML });
    expect(result.ok && result.file.title).toBe(text);
  });

  it.each<[string, string, string, string]>([
    ['as it is', '', 'Plain', 'Plain'],
    ['in its charset', 'Content-Type: text/plain; charset=windows-1251\r\n', '\xcf\xf0\xe8', 'При'],
    [
      'of an unknown charset',
      'Content-Type: text/plain; charset=nonsense\r\n',
      'Gr\xc3\xb6\xc3\x9fe',
      'Größe',
    ],
    [
      'in quoted-printable',
      'Content-Transfer-Encoding: Quoted-Printable\r\n',
      'Gr=C3=B6=\r\n=C3=9Fe =ZZ',
      'Größe =ZZ',
    ],
    ['in base64', 'Content-Transfer-Encoding: base64\r\n', 'R3LD\r\ntsOfZQ==', 'Größe'],
    [
      'that flows',
      'Content-Type: text/plain; format=flowed\r\n',
      'One \r\nline.\r\n> quoted \r\n> text\r\n-- \r\nAnn',
      'One line.\n\n> quoted text\n\n--\\\nAnn',
    ],
    ['with quotes in quotes', '', '> > a\r\n> b\r\nc', '> > a\n>\n> b\n\nc'],
    [
      'as HTML',
      'Content-Type: text/html\r\n',
      '<style>p{}</style><p>One <b>two</b><script>x</script>',
      'One **two**',
    ],
  ])('reads text %s', async (_, fields, body, markdown) => {
    expect(await bodyOf(mail(fields, body))).toBe(markdown);
  });

  it('prefers HTML among alternatives, and lists attachments', async () => {
    const bytes = multipart(
      'mixed',
      'Content-Type: multipart/alternative; boundary=b2\r\n\r\n--b2\r\n\r\nplain\r\n--b2\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b2--',
      'Content-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment; filename="=?utf-8?Q?Gr=C3=B6=C3=9Fe.pdf?="\r\nContent-Transfer-Encoding: base64\r\n\r\nR3LDtsOfZQ==',
      "Content-Type: text/csv\r\nContent-Disposition: attachment;\r\n filename*0*=utf-8'en'a%20;\r\n filename*1=b.csv\r\n\r\nx,y",
      'Content-Type: image/png\r\n\r\nabc',
    );
    expect(await bodyOf(bytes)).toBe(
      'rich\n\n## Attachments\n\n- Größe.pdf (application/pdf, 7 bytes)\n- a b.csv (text/csv, 3 bytes)\n- without a name (image/png, 3 bytes)',
    );
  });

  it('reads a mail in a mail', async () => {
    const bytes = multipart(
      'mixed',
      '\r\nSee below.',
      'Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nFrom: Cid <c@d.example>\r\nSubject: Inner\r\n\r\nInner text.',
    );
    expect(await bodyOf(bytes)).toBe(
      'See below.\n\n# Inner\n\n| From | Cid \\<c@d.example> |\n| --- | --- |\n\nInner text.',
    );
  });

  it.each<[string, string, string]>([
    ['its last part does not end', '--b1\r\n\r\none\r\n--b1\r\n\r\ntwo', 'one\n\ntwo'],
    ['a line only starts like its delimiter', '--b1\r\n\r\n--b1x\r\none\r\n--b1--', '--b1x\\\none'],
    ['its lines end as in Unix', '--b1\n\none\n--b1--\n', 'one'],
    ['its delimiter is missing', 'one\r\n--b2', 'one\\\n--b2'],
    ['its delimiter is within a line', '--b1\r\n\r\na --b1\r\n--b1--', 'a --b1'],
  ])('is read when %s', async (_, body, markdown) => {
    expect(await bodyOf(mail('Content-Type: multipart/mixed; boundary=b1\r\n', body))).toBe(
      markdown,
    );
  });

  it('is read when it names no delimiter', async () => {
    expect(await bodyOf(mail('Content-Type: multipart/mixed;\r\n', 'one'))).toBe('one');
  });

  it('starts after the first line of a mailbox', async () => {
    const bytes = Buffer.concat([Buffer.from('From ann Fri Mar  1\n'), mail('', 'Text')]);
    expect(await bodyOf(bytes)).toBe('Text');
  });

  it('starts after a byte order mark and blank lines', async () => {
    const bytes = Buffer.concat([Buffer.from('\ufeff\r\n\r\n'), mail('', 'Text')]);
    expect(await bodyOf(bytes)).toBe('Text');
  });

  it.each(['\n', '\r\n'])('reads all mails of a mailbox with line ends %j', async (end) => {
    const one = (subject: string, body: string): string =>
      `From ann Fri Mar  1\nFrom: Ann\nSubject: ${subject}\n${body}\n\n`;
    const file = '\nIt is attached.\n\n>From here on\n\nFrom noon on.';
    const attached =
      'Content-Type: text/csv\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\nYSxi';
    const source = one('One', file) + one('Two', attached) + one('Three', '\n>>From');
    const result = await readFile(Buffer.from(source.replaceAll('\n', end)), { hint: EML });
    const head = (subject: string): string => `# ${subject}\n\n| From | Ann |\n| --- | --- |\n`;
    expect(result).toMatchObject({ ok: true, file: { title: 'One' } });
    expect(result.ok && result.file.markdown).toBe(
      `${head('One')}\nIt is attached.\n\nFrom here on\n\nFrom noon on.\n\n${head('Two')}\n` +
        `## Attachments\n\n- without a name (text/csv, 3 bytes)\n\n${head('Three')}\n> > From\n`,
    );
  });

  it('reads a mailbox around a mail that is encrypted', async () => {
    const sealed = multipart('encrypted', 'Content-Type: text/plain\r\n\r\nx').toString();
    const source = `From a\r\n${sealed}\r\n\r\nFrom a\r\n${mail('', 'Text').toString()}`;
    expect(await bodyOf(Buffer.from(source))).toBe(`*Encrypted text, left out.*\n\n${TABLE}\nText`);
  });

  it('reads mails of a mailbox up to the limit of parts', async () => {
    const mails = (count: number): Buffer =>
      Buffer.from('From a\nSubject: s\n\na\n\n'.repeat(count));
    const cutOf = async (count: number): Promise<string | undefined> => {
      const result = await readFile(mails(count), { hint: EML });
      return result.ok ? result.file.truncatedBy : result.message;
    };
    expect(await cutOf(MAX_MAIL_PARTS)).toBeUndefined();
    expect(await cutOf(MAX_MAIL_PARTS + 1)).toBe('max_parts');
  });

  it('is refused when it is encrypted', async () => {
    const bytes = multipart(
      'encrypted',
      'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
    );
    expect(await readFile(bytes, { hint: EML })).toMatchObject({ ok: false, problem: 'encrypted' });
  });

  it.each([
    [MAX_MAIL_PARTS - 1, true],
    [MAX_MAIL_PARTS, false],
  ])('reads the last of %d parts: %s', async (count, isRead) => {
    const parts = Array.from({ length: count }, (_, n) => `\r\npart ${n}.`);
    const result = await readFile(multipart('mixed', ...parts), { hint: EML });
    const { markdown, truncatedBy } = (result.ok && result.file) || { markdown: '' };
    expect(markdown.includes(`part ${count - 1}.`)).toBe(isRead);
    expect(truncatedBy).toBe(isRead ? undefined : 'max_parts');
  });

  it.each([
    [MAX_MAIL_DEPTH, true],
    [MAX_MAIL_DEPTH + 1, false],
  ])('reads mails in %d mails: %s', async (depth, isRead) => {
    const inner = Array.from({ length: depth }, () => 'Content-Type: message/rfc822\r\n\r\n').join(
      '',
    );
    const bytes = Buffer.from(`${HEAD}${inner}Subject: x\r\n\r\ninnermost`);
    expect((await read(bytes)).includes('innermost')).toBe(isRead);
  });
});
