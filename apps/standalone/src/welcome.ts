export interface Welcome {
  readonly url: string;
  /** The key, if this is the first start. */
  readonly firstKey: string | null;
  readonly keyFile: string;
  readonly exampleUrl: string;
}

/** Printed when the service is up: URL, key, and three commands to paste. */
export function welcomeText({ url, firstKey, keyFile, exampleUrl }: Welcome): string {
  const key = firstKey ?? `$(cat '${keyFile}')`;
  const post = (path: string, body: object): string =>
    `curl -s ${url}${path} -H "x-api-key: ${key}" -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return [
    '',
    `  Trawl is ready at ${url}`,
    firstKey === null
      ? `  Your key is in ${keyFile}`
      : `  Your key (shown once, kept in ${keyFile}):\n\n  ${firstKey}`,
    '',
    '  Scrape a page:',
    '',
    post('/v1/scrape', { url: exampleUrl }),
    '',
    '  Crawl a site:',
    '',
    `JOB=$(${post('/v1/crawl', { url: exampleUrl, limit: 20 })} | tee /dev/stderr | sed 's/.*"jobId":"\\([^"]*\\)".*/\\1/')`,
    '',
    '  Check its progress:',
    '',
    `curl -s ${url}/v1/crawl/$JOB -H "x-api-key: ${key}"`,
    '',
    `  Your account (sign in with the key): ${url}/dashboard`,
    '  More: README.md, or npm start -- --help',
    '',
    '  Ctrl-C stops everything.',
    '',
    '',
  ].join('\n');
}
