/**
 * Facts in a TLS ClientHello about the program that sent it: the parts that a JA3 fingerprint is
 * made of.
 */
export interface ClientHello {
  readonly ciphers: readonly number[];
  /** In the order sent. */
  readonly extensions: readonly number[];
  readonly alpn: readonly string[];
  readonly serverName: string | null;
}

const SERVER_NAME = 0;
const ALPN = 16;

/** Whether a code is one of the sixteen that are sent to keep servers tolerant (RFC 8701). */
export function isGrease(code: number): boolean {
  return (code & 0x0f0f) === 0x0a0a && code >> 8 === (code & 0xff);
}

/** Reads a whole ClientHello record (RFC 8446, 4.1.2). */
export function readClientHello(record: Buffer): ClientHello {
  // Record header 5, handshake header 4, version 2, random 32.
  let at = 43;
  at += 1 + record.readUInt8(at);
  const ciphersEnd = at + 2 + record.readUInt16BE(at);
  const ciphers: number[] = [];
  for (at += 2; at < ciphersEnd; at += 2) ciphers.push(record.readUInt16BE(at));
  at += 1 + record.readUInt8(at);
  const extensions = new Map<number, Buffer>();
  const end = at + 2 + record.readUInt16BE(at);
  for (at += 2; at < end;) {
    const length = record.readUInt16BE(at + 2);
    extensions.set(record.readUInt16BE(at), record.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const name = extensions.get(SERVER_NAME)?.subarray(5).toString('latin1') ?? null;
  const alpn = readAlpn(extensions.get(ALPN));
  return { ciphers, extensions: [...extensions.keys()], alpn, serverName: name };
}

function readAlpn(data: Buffer | undefined): readonly string[] {
  const names: string[] = [];
  for (let at = 2; data !== undefined && at < data.length;) {
    const length = data.readUInt8(at);
    names.push(data.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return names;
}
