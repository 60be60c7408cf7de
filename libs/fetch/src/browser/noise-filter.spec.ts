import { MAX_NOISE_BYTES, NoiseFilter } from './quiet-browser.js';

const event = (method: string, length: number): string => {
  const head = `{"method":"${method}","params":{"text":"`;
  return `${head}${'x'.repeat(Math.max(0, length - head.length - 4))}"}}\0`;
};
const noise = (length: number) => event('Runtime.consoleAPICalled', length);
const through = (text: string, chunkBytes: number): string => {
  const filter = new NoiseFilter();
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    out.push(...filter.pass(bytes.subarray(at, at + chunkBytes)));
  }
  return Buffer.concat(out).toString();
};

describe.each([1, 7, 64, 1_000, 65_536])('NoiseFilter, in chunks of %d bytes', (chunkBytes) => {
  const response = '{"id":7,"result":{}}\0';
  const long = event('Fetch.requestPaused', 100_000);

  it('drops long noise and keeps the messages around it', () => {
    const text = response + noise(100_000) + long + noise(50_000) + noise(200) + response;
    expect(through(text, chunkBytes)).toBe(response + long + noise(200) + response);
  });

  it('passes noise of exactly the limit', () => {
    const most = noise(MAX_NOISE_BYTES);
    expect(Buffer.byteLength(most)).toBe(MAX_NOISE_BYTES);
    expect(through(most + response, chunkBytes)).toBe(most + response);
    expect(through(noise(MAX_NOISE_BYTES + 1) + response, chunkBytes)).toBe(response);
  });

  it.each([
    'Runtime.exceptionThrown',
    'Log.entryAdded',
    'Network.webSocketFrameReceived',
    'Network.webSocketFrameSent',
    'Network.eventSourceMessageReceived',
  ])('drops %s too', (method) => {
    expect(through(event(method, 20_000) + response, chunkBytes)).toBe(response);
  });

  it('passes messages that only look like it', () => {
    const text = event('Runtime.consoleAPICalledX', 20_000).replace('CalledX"', 'CalledX "');
    const named = `{"id":1,"result":"${noise(20_000).slice(0, -1).replaceAll('"', '\\"')}"}\0`;
    expect(through(text + named, chunkBytes)).toBe(text + named);
  });
});

it('buffers no more than the limit of a message without an end', () => {
  const filter = new NoiseFilter();
  filter.pass(Buffer.from(noise(1_000_000).slice(0, 40_000)));
  const kept = Reflect.get(filter, 'held') as Buffer[];
  expect(kept).toEqual([]);
});
