// Receives webhooks, verifies that Trawl sent them, and prints each event once.
// Usage: WEBHOOK_SECRET=whsec_... node receive-webhooks.ts
// The secret comes from POST /v1/webhooks/secret. PORT is the port to listen on, 8080 by default.
// The signature is that of Standard Webhooks (https://www.standardwebhooks.com), which also has libraries.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** An older or newer timestamp is a replay. */
const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 1_000_000;

const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
if (!WEBHOOK_SECRET.startsWith('whsec_')) throw new Error('WEBHOOK_SECRET must start with whsec_');
const secret = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
/** Every webhook comes at least once. A program that restarts keeps these ids in its database. */
const seen = new Set<string>();

function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest();
  // Several signatures while the secret is being replaced: one must match.
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) throw new Error('the body is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The status to answer with. Trawl retries until it is 2xx, so answer first and do long work later. */
async function receive(request: IncomingMessage): Promise<number> {
  const body = await readText(request);
  if (!isGenuine(request.headers, body)) return 401;
  const id = String(request.headers['webhook-id']);
  if (seen.has(id)) return 204;
  seen.add(id);
  const event = JSON.parse(body) as { jobId: string; status: string; pages_scraped: number };
  console.log(`${event.jobId} ${event.status}: ${event.pages_scraped} pages`);
  return 204;
}

const server = createServer((request, response) => {
  receive(request)
    .then((status) => response.writeHead(status).end())
    .catch(() => response.writeHead(400).end());
});
server.listen(Number(PORT), () => console.log('listening', server.address()));
