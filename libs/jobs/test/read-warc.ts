import { gunzipSync } from 'node:zlib';

export interface ReadWarcRecord {
  readonly fields: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

/**
 * Reads an archive strictly by the letter of WARC 1.1, clause 4: anything but exactly one record
 * after another, each in a separate gzip member, throws.
 */
export function readWarc(archive: Buffer): ReadWarcRecord[] {
  return gzipMembers(archive).map((member) => readRecord(gunzipSync(member)));
}

/** Members begin with the fixed head that Node writes; a member that is cut wrongly does not inflate. */
function gzipMembers(archive: Buffer): Buffer[] {
  const head = Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00]);
  if (archive.length > 0 && !archive.subarray(0, 8).equals(head)) throw new Error('no gzip member');
  const members: Buffer[] = [];
  for (let at = 0; at < archive.length;) {
    const next = archive.indexOf(head, at + head.length);
    const end = next === -1 ? archive.length : next;
    members.push(archive.subarray(at, end));
    at = end;
  }
  return members;
}

function readRecord(record: Buffer): ReadWarcRecord {
  const endOfHead = record.indexOf('\r\n\r\n');
  const [version, ...lines] = record.subarray(0, endOfHead).toString('utf8').split('\r\n');
  if (version !== 'WARC/1.1') throw new Error(`not a record of WARC 1.1: ${version}`);
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): (\S.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a field: ${line}`);
    if (fields.has(name.toLowerCase())) throw new Error(`a field that comes twice: ${name}`);
    fields.set(name.toLowerCase(), value);
  }
  for (const name of ['warc-record-id', 'content-length', 'warc-date', 'warc-type'])
    if (!fields.has(name)) throw new Error(`a record without ${name}`);
  const start = endOfHead + 4;
  const end = start + Number(fields.get('content-length'));
  if (record.subarray(end).toString() !== '\r\n\r\n')
    throw new Error(`a record of another length than it says: ${[...fields].join(' ')}`);
  return { fields, block: record.subarray(start, end) };
}
