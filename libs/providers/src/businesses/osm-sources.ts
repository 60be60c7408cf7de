import {
  OSM_ATTRIBUTION,
  overpassQuery,
  type Business,
  type BusinessShape,
  type NominatimSetting,
  type OverpassSetting,
  type SearchArea,
  type BoundingBox,
} from '@app/connectors';
import { HttpFetchError, valueAtPointer, type HttpRequest } from '@app/egress';
import { requestResults } from '../search/result-request.js';
import {
  backendFailure,
  type BackendResult,
  type BackendTerms,
  type SearchHttp,
  type BackendFailure,
} from '../search/search-backend.js';
import type { BusinessQuery, BusinessSource, ReadBusinessPage } from './business-source.js';

/** Nominatim answers with at most 40 places. */
const NOMINATIM_PLACES = 40;
/** Time kept for the way back of an answer of Overpass. */
const RETURN_MS = 500;

export interface OsmSourceOptions<Setting> {
  readonly setting: Setting;
  readonly http: SearchHttp;
  readonly read: ReadBusinessPage;
}

/** What both servers of OpenStreetMap's data have in common. */
abstract class OsmSource<
  Setting extends OverpassSetting | NominatimSetting,
> implements BusinessSource {
  readonly attribution = OSM_ATTRIBUTION;
  abstract readonly kind: 'overpass' | 'nominatim';
  readonly source: string;
  readonly costMicroUsd: number;

  constructor(protected readonly options: OsmSourceOptions<Setting>) {
    this.source = options.setting.name;
    this.costMicroUsd = options.setting.costMicroUsd;
  }

  abstract search(query: BusinessQuery, terms: BackendTerms): Promise<BackendResult<Business>>;

  /** One answer has all places. */
  protected async request(
    request: Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>,
    shape: BusinessShape,
    terms: BackendTerms & { readonly tenantId: string },
  ): Promise<BackendResult<Business>> {
    const { http, read } = this.options;
    const call = { http, read, shape, hasKey: false, request, terms };
    const found = await requestResults<BusinessShape, Business>(call);
    return found.ok ? { ...found, next: null } : found;
  }
}

/** An Overpass server of the operator: places by their tags, within a town. */
export class OverpassSource extends OsmSource<OverpassSetting> {
  readonly kind = 'overpass';

  constructor(
    options: OsmSourceOptions<OverpassSetting> & { readonly geocoder: SearchHttp | null },
  ) {
    super(options);
    this.geocoder = options.geocoder;
  }

  private readonly geocoder: SearchHttp | null;

  async search(query: BusinessQuery, terms: BackendTerms): Promise<BackendResult<Business>> {
    const { location, limit, tenantId } = query;
    if (location === null || query.page > 1) return { ok: true, results: [], next: null };
    const area = await this.areaOf(location, terms);
    if (area === null) return { ok: true, results: [], next: null };
    if ('ok' in area) return area;
    const timeoutSeconds = (terms.deadline.remainingMs() - RETURN_MS) / 1_000;
    const text = overpassQuery(query.query, area, { limit, timeoutSeconds });
    const request = {
      url: this.options.setting.url,
      method: 'POST' as const,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ data: text }).toString(),
    };
    return this.request(request, { kind: 'overpass' }, { ...terms, tenantId });
  }

  /** Null: no place has that name. */
  private async areaOf(
    location: string,
    terms: BackendTerms,
  ): Promise<SearchArea | null | Extract<BackendResult<Business>, { ok: false }>> {
    const { nominatimUrl } = this.options.setting;
    if (nominatimUrl === null || this.geocoder === null) return { kind: 'named', name: location };
    const found = await findBox(location, { http: this.geocoder, url: nominatimUrl, ...terms });
    if (!found.ok) return found;
    return found.box === null ? null : { kind: 'box', box: found.box };
  }
}

/** A Nominatim server of the operator: places by their names and kinds. */
export class NominatimSource extends OsmSource<NominatimSetting> {
  readonly kind = 'nominatim';

  async search(query: BusinessQuery, terms: BackendTerms): Promise<BackendResult<Business>> {
    if (query.page > 1) return { ok: true, results: [], next: null };
    const url = new URL(this.options.setting.url);
    url.pathname = `${url.pathname.replace(/\/(?:search)?$/, '')}/search`;
    const { location, limit, tenantId } = query;
    const q = location === null ? query.query : `${query.query} in ${location}`;
    const params = {
      ...{ q, format: 'jsonv2', addressdetails: '1', extratags: '1', dedupe: '1', layer: 'poi' },
      limit: String(Math.min(limit, NOMINATIM_PLACES)),
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    const request = { url: url.href, headers: { accept: 'application/json' } };
    return this.request(request, { kind: 'nominatim' }, { ...terms, tenantId });
  }
}

const MAX_ANSWER_BYTES = 256 * 1024;

type FoundBox =
  | {
      readonly ok: true;
      /** Null: no place has that name. */
      readonly box: BoundingBox | null;
    }
  | BackendFailure;

/** The box around the place that Nominatim finds for a location. */
async function findBox(
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
