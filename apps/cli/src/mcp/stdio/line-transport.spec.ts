import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { LineReader, LineTransport, MAX_LINE_BYTES, requestIdAtEnds } from './line-transport.js';

describe('lines of a stream', () => {
  const read = (maxBytes: number, ...chunks: readonly (string | Buffer)[]): unknown[] => {
    const reader = new LineReader(maxBytes);
    return chunks.flatMap((chunk) => [...reader.add(Buffer.from(chunk))]);
  };

  it('are the same however the stream is cut', () => {
    const text = Buffer.from('one\ntwo é 😀\n\nfour\nrest');
    const lines = ['one', 'two é 😀', '', 'four'].map((line) => ({ kind: 'line', text: line }));
    expect(read(100, text)).toEqual(lines);
    expect(read(100, ...Array.from(text, (byte) => Buffer.from([byte])))).toEqual(lines);
  });

  it('have the maximum length, and the next one is read after one that is too long', () => {
    expect(read(4, 'abcd\nabcde\nok\n')).toEqual([
      { kind: 'line', text: 'abcd' },
      { kind: 'too_long', head: 'abcde', tail: 'abcde' },
      { kind: 'line', text: 'ok' },
    ]);
  });

  it('that are too long keep only their ends', () => {
    const [line] = read(1_000, 'a'.repeat(700), 'b'.repeat(5_000), `${'c'.repeat(600)}\n`);
    expect(line).toEqual({ kind: 'too_long', head: 'a'.repeat(512), tail: 'c'.repeat(512) });
  });
});

describe('the id of a request of which only the ends are known', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"na', '"x"}}', 7],
    ['{"id":"a-1","jsonrpc":"2.0","method"', '}}', 'a-1'],
    ['{"method":"tools/call","params":{', '"}},"jsonrpc":"2.0","id":12}', 12],
    ['{"method":"tools/call","params":{"id":5,', '"id":5}}}', undefined],
    ['{"params":{"id":5', 'x', undefined],
    ['', '', undefined],
  ])('%s … %s', (head, tail, id) => {
    expect(requestIdAtEnds(head, tail)).toBe(id);
  });
});

describe('the connection over lines', () => {
  let input: PassThrough;
  let output: PassThrough;
  let transport: LineTransport;
  let received: JSONRPCMessage[];
  const sent = (): unknown[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(async () => {
    input = new PassThrough();
    output = new PassThrough();
    transport = new LineTransport(input, output);
    received = [];
    transport.onmessage = (message) => received.push(message);
    await transport.start();
  });

  it('passes messages on in both directions, and skips empty lines', async () => {
    input.write('\n  \n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
    await settle();
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
    await transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'a\nb' } });
    expect(sent()).toEqual([{ jsonrpc: '2.0', id: 1, result: { text: 'a\nb' } }]);
  });

  it.each([
    ['no JSON', 'hello', { error: { code: -32700 } }],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { error: { code: -32600 } }],
    ['another object, with its id', '{"id":3,"foo":1}', { id: 3, error: { code: -32600 } }],
    ['a number', '1', { error: { code: -32600 } }],
  ])('answers a line that is %s, and goes on', async (_, line, error) => {
    input.write(`${line}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
    await settle();
    expect(sent()).toMatchObject([{ jsonrpc: '2.0', ...error }]);
    expect(received).toHaveLength(1);
  });

  it('accepts a message of the maximum length and refuses a longer one by its id', async () => {
    const message = (bytes: number): string => {
      const empty = '{"method":"m","params":{"a":""},"jsonrpc":"2.0","id":9}';
      return `${empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`)}\n`;
    };
    input.write(message(MAX_LINE_BYTES));
    await settle();
    expect([received.length, sent()]).toEqual([1, []]);
    input.write(message(MAX_LINE_BYTES + 1));
    await settle();
    expect(received).toHaveLength(1);
    expect(sent()).toMatchObject([{ id: 9, error: { code: -32600 } }]);
  });

  it.each([
    ['the input ends', () => input.end()],
    ['the input fails', () => input.destroy(new Error('broken'))],
    ['the output fails', () => output.destroy(new Error('EPIPE'))],
    ['it is closed', () => void transport.close()],
  ])('is closed when %s', async (_, act) => {
    let closes = 0;
    transport.onclose = () => closes++;
    input.resume();
    act();
    await transport.closed;
    await transport.close();
    expect(closes).toBe(1);
    await expect(transport.send({ jsonrpc: '2.0', method: 'm' })).rejects.toThrow('closed');
    input.emit('data', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
    expect(received).toEqual([]);
  });
});
