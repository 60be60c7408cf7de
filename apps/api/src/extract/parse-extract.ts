import { ApiError, type ConvertSource, type JsonSchema, type LlmRequest } from '@app/contracts';
import { MAX_REQUEST_URL_CHARS } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';
import { hasSchema, parseModelRequest, type ModelCaller } from '../models/model-request.js';
import type { TargetCheck } from '../fetchers/target-check.js';
import { MAX_EXTRACT_URLS, type ExtractRequest } from './extract.dto.js';

/** The source of an extraction. */
export type ExtractSource =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'pages'; readonly urls: readonly string[] }
  | ContentSource;

/** Content sent in the request. */
export interface ContentSource {
  readonly kind: Exclude<ConvertSource['kind'], 'file'>;
  readonly text: string;
  /** Base of relative URLs. */
  readonly url: string | null;
}

/** The requested output. */
export interface ExtractOutput {
  /** Null: the listing. */
  readonly schema: JsonSchema | null;
  /** Null when `schema` is. */
  readonly llm: LlmRequest | null;
}

/** @throws ApiError */
export function parseOutput(body: ExtractRequest, caller: ModelCaller): ExtractOutput {
  const { schema, complexity } = body;
  const outputs = { json: hasSchema({ schema }), summary: false, complexity };
  const llm = parseModelRequest({ schema }, outputs, caller);
  return { schema: llm?.json?.schema ?? null, llm };
}

type Targets = Pick<TargetCheck, 'parse'>;

/** @throws ApiError */
export function parseSource(body: ExtractRequest, targets: Targets): ExtractSource {
  const url = body.url ?? null;
  const html = parseContent('html', body.html);
  const markdown = parseContent('markdown', body.markdown);
  if (body.urls !== undefined && body.urls !== null) {
    if (url !== null || html !== null || markdown !== null) {
      throw invalidRequest(
        '`urls` cannot be combined with another source: send it without `url`, `html` and `markdown`',
      );
    }
    return { kind: 'pages', urls: parseUrls(body.urls, targets) };
  }
  const content = contentOf(html, markdown, { hasSchema: body.schema != null });
  if (content) return { ...content, url: parseBase(url) };
  if (url === null) throw new ApiError('url_required');
  targets.parse(url);
  return { kind: 'page', url };
}

/** The listing is read from HTML, which has more detail; the model reads Markdown, converted from HTML if none was sent. */
function contentOf(
  html: string | null,
  markdown: string | null,
  { hasSchema }: { readonly hasSchema: boolean },
): Pick<ContentSource, 'kind' | 'text'> | null {
  if (markdown !== null && (hasSchema || html === null))
    return { kind: 'markdown', text: markdown };
  return html === null ? null : { kind: 'html', text: html };
}

function parseContent(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidRequest(`\`${name}\` must be a string`);
  if (value.trim() === '') throw invalidRequest(`\`${name}\` is empty`);
  return value;
}

/** Nothing is fetched from it, so it may be private. */
function parseBase(url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ApiError('invalid_url', { url });
  }
  return url;
}

function parseUrls(value: unknown, targets: Targets): readonly string[] {
  if (!Array.isArray(value)) throw invalidRequest('`urls` must be an array of strings');
  if (value.length === 0) throw invalidRequest('`urls` is empty');
  if (value.length > MAX_EXTRACT_URLS)
    throw invalidRequest(`\`urls\` may hold at most ${MAX_EXTRACT_URLS} entries`);
  const invalidUrls = value.filter((entry) => !isTarget(entry, targets)).map(shown);
  if (invalidUrls.length > 0) {
    throw new ApiError('invalid_urls', { count: invalidUrls.length }, { body: { invalidUrls } });
  }
  return value as string[];
}

function isTarget(entry: unknown, targets: Targets): boolean {
  if (typeof entry !== 'string' || entry.length > MAX_REQUEST_URL_CHARS) return false;
  try {
    targets.parse(entry);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function shown(entry: unknown): unknown {
  return typeof entry === 'string' ? entry.slice(0, MAX_REQUEST_URL_CHARS) : JSON.stringify(entry);
}
