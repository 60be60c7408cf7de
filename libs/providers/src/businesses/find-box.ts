import type { BoundingBox } from '@app/connectors';
import { HttpFetchError, valueAtPointer } from '@app/egress';
import {
  backendFailure,
  type BackendFailure,
  type BackendTerms,
  type SearchHttp,
} from '../search/search-backend.js';

const MAX_ANSWER_BYTES = 256 * 1024;

export type FoundBox =
  | {
      readonly ok: true;
      /** Null: no place has that name. */
      readonly box: BoundingBox | null;
    }
  | BackendFailure;

/** The box around the place that Nominatim finds for a location. */
export async function findBox(
  location: string,
  {
    http,
    url: instance,
    deadline,
    signal,
  }: BackendTerms & { readonly http: SearchHttp; readonly url: string },
): Promise<FoundBox> {
  const url = new URL(instance);
  url.pathname = `${url.pathname.replace(/\/(?:search)?$/, '')}/search`;
  url.search = new URLSearchParams({ q: location, format: 'jsonv2', limit: '1' }).toString();
  try {
    const headers = { accept: 'application/json' };
    const terms = { deadline, signal, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 };
    const { status, body } = await http.fetch({ url: url.href, headers, ...terms });
    if (status !== 200)
      return backendFailure('http_error', `Nominatim answered with HTTP ${status}`, {
        statusCode: status,
      });
    return { ok: true, box: boxOf(JSON.parse(Buffer.from(body).toString('utf8'))) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError)
      return backendFailure('parse_error', 'the answer of Nominatim is no JSON');
    if (!(error instanceof HttpFetchError)) throw error;
    const isLate = error.errorClass === 'timeout';
    return backendFailure(isLate ? 'timeout' : 'network', 'Nominatim cannot be reached');
  }
}

/** Nominatim's order: south, north, west, east. */
function boxOf(answer: unknown): BoundingBox | null {
  const box = valueAtPointer(answer, '/0/boundingbox');
  if (!Array.isArray(box) || box.length !== 4) return null;
  const [south = NaN, north = NaN, west = NaN, east = NaN] = box.map(Number);
  const isBox = [south, north, west, east].every((one) => Number.isFinite(one));
  return isBox ? [south, west, north, east] : null;
}
