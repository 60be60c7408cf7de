// Drives @mendable/firecrawl-js, as published: a call a line on standard input, its outcome a line on standard output.
// Usage: node firecrawl-js.mjs <folder with the packages>, with FIRECRAWL_API_URL and FIRECRAWL_API_KEY.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { default: Firecrawl } = createRequire(`${process.argv[2]}/`)('@mendable/firecrawl-js');
const client = new Firecrawl({
  apiUrl: process.env.FIRECRAWL_API_URL,
  apiKey: process.env.FIRECRAWL_API_KEY,
});

/** Close codes of the WebSockets that the client opened, oldest first. */
const closeCodes = [];
globalThis.WebSocket = class extends WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener('close', ({ code }) => closeCodes.push(code));
  }
};

/** Follows a job to its end; every event of the watcher, in order. */
async function watch(jobId, options) {
  const before = closeCodes.length;
  const events = [];
  const watcher = client.watcher(jobId, options);
  const ended = new Promise((resolve) => {
    watcher.on('done', resolve);
    // After a fault of its connection a watcher closes without another word.
    watcher.on('error', () => setImmediate(() => watcher.closed && resolve()));
  });
  for (const name of ['document', 'snapshot', 'error', 'done'])
    watcher.on(name, (detail) => {
      events.push({ name, detail });
      console.log(JSON.stringify({ event: name, jobId }));
    });
  void watcher.start();
  await ended;
  return { events, closeCodes: closeCodes.slice(before) };
}

/** Calls of its own, beside the client's methods. */
const own = {
  watch,
  parseFile: (base64, filename, contentType, options) =>
    client.parse({ data: Buffer.from(base64, 'base64'), filename, contentType }, options),
};

function outcomeOf({ name, message, status, code, details }) {
  return { name, message, status, code, details };
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, args } = JSON.parse(line);
  try {
    const result = await (own[method] ?? client[method].bind(client))(...args);
    console.log(JSON.stringify({ id, result: result ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ id, error: outcomeOf(error) }));
  }
});
console.log(JSON.stringify({ id: 0, result: 'ready' }));
