/** A page as a fake crawler got it. */
export interface LoopbackPage {
  readonly url: string;
  readonly statusCode: number;
  readonly contentType: string;
  readonly html: string;
}

const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

/** Fetches a page of this machine; of anywhere else there is a canned one, since tests never go out. */
export async function fetchLoopbackPage(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<LoopbackPage> {
  if (!LOOPBACK.test(url)) return cannedPage(url);
  const response = await fetch(url, { headers });
  return {
    url: response.url,
    statusCode: response.status,
    contentType: response.headers.get('content-type') ?? 'text/html',
    html: await response.text(),
  };
}

function cannedPage(url: string): LoopbackPage {
  const html =
    '<!doctype html><html><head><title>A canned page</title></head><body><h1>A canned page</h1>' +
    '<p>It stands for what a provider would have brought from an address outside, with enough words ' +
    'to read as content.</p></body></html>';
  return { url, statusCode: 200, contentType: 'text/html; charset=utf-8', html };
}
