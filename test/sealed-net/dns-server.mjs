// A name server of one file: A and AAAA from a table, NXDOMAIN for the rest, TTL 0.
import dgram from 'node:dgram';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/**
 * @param table name → addresses, or a list of such lists: successive answers, of which the last repeats.
 * @param onQuery called with each name that is requested.
 */
export async function startDnsServer({ table, onQuery, address = '127.0.0.1', port = 53 }) {
  const asked = new Map();
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, peer) => {
    const question = readQuestion(query);
    if (question === null) return;
    onQuery(question.name);
    const key = `${question.name} ${question.type}`;
    const turn = asked.get(key) ?? 0;
    asked.set(key, turn + 1);
    socket.send(
      writeAnswer(query, question, answersOf(table[question.name], turn)),
      peer.port,
      peer.address,
    );
  });
  await new Promise((resolve) => socket.bind(port, address, resolve));
  return { close: () => new Promise((resolve) => socket.close(resolve)) };
}

function answersOf(entry, turn) {
  if (entry === undefined) return null;
  return Array.isArray(entry[0]) ? entry[Math.min(turn, entry.length - 1)] : entry;
}

function readQuestion(query) {
  if (query.length < 17 || query.readUInt16BE(4) !== 1) return null;
  const labels = [];
  let at = 12;
  while (query[at] !== 0 && at < query.length) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += query[at] + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(query, { type, end }, answers) {
  const records = (answers ?? [])
    .map(addressBytes)
    .filter((bytes) => bytes.length === (type === TYPE_A ? 4 : 16));
  const isKnownType = type === TYPE_A || type === TYPE_AAAA;
  const sent = isKnownType ? records : [];
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8580 | (answers === null || answers.length === 0 ? 3 : 0), 2);
  head.writeUInt16BE(sent.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...sent.map((bytes) => record(type, bytes))]);
}

function record(type, bytes) {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

/** Bytes of an address as a record holds them; zone ids are not on the wire. */
function addressBytes(text) {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number));
  const host = new URL(`http://[${text.split('%')[0]}]/`).hostname.slice(1, -1);
  const [head, tail] = host.split('::');
  const groups = (part) => (part ? part.split(':') : []);
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [
    ...groups(head),
    ...Array(host.includes('::') ? missing : 0).fill('0'),
    ...groups(tail),
  ];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
