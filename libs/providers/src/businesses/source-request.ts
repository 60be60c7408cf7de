import type { ApiSourceSetting, HtmlSourceSetting } from '@app/connectors';
import { fillJson, fillUrl, type HttpRequest } from '@app/egress';
import type { BusinessQuery } from './business-source.js';

type Template = Pick<
  ApiSourceSetting | HtmlSourceSetting,
  'url' | 'key' | 'headers' | 'pageSize'
> & { readonly body?: unknown };

/** The request for one page of a source that its setting describes. */
export function sourceRequest(
  template: Template,
  { query, location, limit }: BusinessQuery,
  page: number,
): Pick<HttpRequest, 'method' | 'body'> & {
  readonly url: string;
  readonly headers: Record<string, string>;
} {
  const { key, pageSize, body } = template;
  const values = {
    query,
    location,
    key,
    // The same for each page: some sources count pages by it.
    count: Math.min(pageSize, limit),
    page,
    pageIndex: page - 1,
    offset: (page - 1) * pageSize,
  };
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(template.headers))
    headers[name.toLowerCase()] = text.replaceAll('{key}', () => key);
  const url = fillUrl(template.url, values);
  if (body === undefined) return { url, headers };
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fillJson(body, values)),
  };
}
