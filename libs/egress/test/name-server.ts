import dgram from 'node:dgram';
import net from 'node:net';

/** What the server does with one question: answer, fail, or say nothing. */
export type NameAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly alias?: string }
  | { readonly kind: 'nxdomain' | 'servfail' | 'silence' }
  /** Over UDP only the hint that the answer is too long for it. */
  | { readonly kind: 'only-by-tcp'; readonly addresses: readonly string[] };

export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  readonly via: 'udp' | 'tcp';
}

const TYPE_NUMBERS = { A: 1, AAAA: 28, CNAME: 5 } as const;
const NXDOMAIN = 3;
const SERVFAIL = 2;
const TRUNCATED = 0x0200;

/** A name server on loopback that answers as a function says, over UDP and TCP on one port. */
export class NameServer {
  /** Questions heard so far, in order. */
  readonly asked: Question[] = [];
  private readonly udp = dgram.createSocket('udp4');
  private readonly tcp = net.createServer((socket) => this.serveTcp(socket));

  private constructor(private readonly answerTo: (question: Question) => NameAnswer) {}

  static async start(answerTo: (question: Question) => NameAnswer): Promise<NameServer> {
    const server = new NameServer(answerTo);
    await new Promise<void>((resolve) => server.tcp.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve, reject) => {
      server.udp.once('error', reject).bind(server.port, '127.0.0.1', resolve);
    });
    server.udp.on('message', (query, peer) => {
      const answer = server.reply(query, 'udp');
      if (answer !== null) server.udp.send(answer, peer.port, peer.address);
    });
    return server;
  }

  /** As a resolver wants it: `ip:port`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.udp.close(resolve));
    await new Promise<void>((resolve) => this.tcp.close(() => resolve()));
  }

  private get port(): number {
    return (this.tcp.address() as net.AddressInfo).port;
  }

  /** A message over TCP follows its length in two bytes (RFC 1035 4.2.2). */
  private serveTcp(socket: net.Socket): void {
    socket.on('error', () => socket.destroy()); // the resolver under test hangs up when it likes
    socket.on('data', (data: Buffer) => {
      const answer = this.reply(data.subarray(2), 'tcp');
      if (answer === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    });
  }

  private reply(query: Buffer, via: Question['via']): Buffer | null {
    const { end, ...asked } = readQuestion(query);
    const question = { ...asked, via };
    this.asked.push(question);
    const answer = this.answerTo(question);
    const head = (flags: number, records: readonly Buffer[]) => message(query, end, flags, records);
    switch (answer.kind) {
      case 'silence':
        return null;
      case 'nxdomain':
        return head(NXDOMAIN, []);
      case 'servfail':
        return head(SERVFAIL, []);
      case 'only-by-tcp':
        if (via === 'udp') return head(TRUNCATED, []);
        return head(0, addressRecords(question, answer.addresses));
      case 'addresses':
        return head(0, [
          ...(answer.alias === undefined
            ? []
            : [record(question.name, 'CNAME', nameBytes(answer.alias))]),
          ...addressRecords({ ...question, name: answer.alias ?? question.name }, answer.addresses),
        ]);
    }
  }
}

function readQuestion(query: Buffer): Omit<Question, 'via'> & { readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1) === TYPE_NUMBERS.A ? 'A' : 'AAAA';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function message(query: Buffer, end: number, flags: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | flags, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function addressRecords({ name, type }: Question, addresses: readonly string[]): Buffer[] {
  const own = addresses.filter((ip) => net.isIPv6(ip) === (type === 'AAAA'));
  return own.map((ip) => record(name, type, addressBytes(ip)));
}

function record(name: string, type: keyof typeof TYPE_NUMBERS, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(TYPE_NUMBERS[type], 0);
  head.writeUInt16BE(1, 2); // class IN; the TTL stays 0
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), head, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

/** IPv6 only in full or with `::` before one last group, as in `2001:db8::1`. */
function addressBytes(ip: string): Buffer {
  if (net.isIPv4(ip)) return Buffer.from(ip.split('.').map(Number));
  const [head = '', tail = ''] = ip.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
