// Extracts the business data of pages and prints one JSON object per page: name, address, phone, hours and more.
// With SCHEMA (a JSON schema, or a shape such as {"price": "number"}) a model reads the data you describe instead.
// Usage: node extract.ts URL...
// TRAWL is the address of the API, KEY an API key.

interface Item {
  readonly url: string;
  readonly ok: boolean;
  /** Null when the page shows no business. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** Why it failed, when not `ok`. */
  readonly error?: string;
}

/** The most that one request takes. */
const URLS_PER_REQUEST = 100;
const { TRAWL, KEY, SCHEMA } = process.env;

async function extract(urls: readonly string[]): Promise<readonly Item[]> {
  const response = await fetch(`${TRAWL}/v1/extract`, {
    method: 'POST',
    headers: { 'x-api-key': KEY ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ urls, ...(SCHEMA ? { schema: JSON.parse(SCHEMA) } : {}) }),
  });
  const body = (await response.json()) as { results: readonly Item[]; error?: string };
  if (!response.ok) throw new Error(`${response.status}: ${body.error}`);
  return body.results;
}

const urls = process.argv.slice(2);
if (urls.length === 0) throw new Error('Usage: node extract.ts URL...');
for (let at = 0; at < urls.length; at += URLS_PER_REQUEST) {
  for (const { url, ok, data, error } of await extract(urls.slice(at, at + URLS_PER_REQUEST)))
    console.log(JSON.stringify(ok ? { url, data } : { url, error }));
}
export {};
