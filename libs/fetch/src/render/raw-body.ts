import type { CDPSession } from 'playwright';

/** A main document that is no markup, as the server sent it, decompressed. */
export interface RawBody {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

export function isMarkup(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** Types with a reader. The others are downloads. */
export function isReadable(contentType: string): boolean {
  return (
    /^\s*(?:text|image)\//i.test(contentType) ||
    /^\s*application\/(?:json|xml|pdf|javascript|ecmascript|rtf|msword|x-javascript|[\w.+-]+\+(?:json|xml))\b/i.test(
      contentType,
    ) ||
    /^\s*application\/(?:vnd\.openxmlformats-|vnd\.oasis\.opendocument)/i.test(contentType)
  );
}

const CHUNK_BYTES = 256 * 1024;

/** Reads the body of a paused response, at most `maxBytes` of it. */
export async function takeBody(
  cdp: CDPSession,
  requestId: string,
  maxBytes: number,
): Promise<RawBody> {
  const { stream } = await cdp.send('Fetch.takeResponseBodyAsStream', { requestId });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { data, base64Encoded, eof } = await cdp.send('IO.read', {
      handle: stream,
      size: CHUNK_BYTES,
    });
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    chunks.push(chunk);
    bytes += chunk.length;
    if (eof || bytes > maxBytes) break;
  }
  await cdp.send('IO.close', { handle: stream });
  const whole = new Uint8Array(Math.min(bytes, maxBytes));
  whole.set(Buffer.concat(chunks).subarray(0, maxBytes));
  return { bytes: whole, isCut: bytes > maxBytes };
}

/** A copy of the body of a paused response, which then goes on to the page. */
export async function copyBody(
  cdp: CDPSession,
  requestId: string,
  maxBytes: number,
): Promise<RawBody> {
  const { body, base64Encoded } = await cdp.send('Fetch.getResponseBody', { requestId });
  const all = Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  return { bytes: new Uint8Array(all.subarray(0, maxBytes)), isCut: all.length > maxBytes };
}
