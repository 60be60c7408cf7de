import { preferredType } from './accept-type.js';

const JSON_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';

describe('the media type that a client prefers', () => {
  it.each<[string | undefined, string, string]>([
    // header, with JSON as the default, with Markdown as the default
    [undefined, JSON_TYPE, MARKDOWN],
    ['', JSON_TYPE, MARKDOWN],
    ['*/*', JSON_TYPE, MARKDOWN],
    ['text/html', JSON_TYPE, MARKDOWN],
    ['text/markdown', MARKDOWN, MARKDOWN],
    ['TEXT/Markdown', MARKDOWN, MARKDOWN],
    ['text/markdown; charset=utf-8', MARKDOWN, MARKDOWN],
    ['text/markdown;variant=GFM;q=0.9, application/json;q=0.8', MARKDOWN, MARKDOWN],
    ['application/json', JSON_TYPE, JSON_TYPE],
    ['text/*', MARKDOWN, MARKDOWN],
    ['application/*', JSON_TYPE, JSON_TYPE],
    ['application/json, text/markdown', JSON_TYPE, MARKDOWN],
    ['text/markdown;q=0.5, application/json;q=0.50', JSON_TYPE, MARKDOWN],
    ['text/markdown;q=0.501, application/json;q=0.5', MARKDOWN, MARKDOWN],
    ['text/markdown;q=0.5, application/json', JSON_TYPE, JSON_TYPE],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', MARKDOWN, MARKDOWN],
    ['text/markdown;q=0.1, */*;q=0.9', JSON_TYPE, JSON_TYPE],
    ['text/markdown;q=0, */*', JSON_TYPE, JSON_TYPE],
    ['application/json;q=0, */*;q=0.1', MARKDOWN, MARKDOWN],
    ['text/*;q=0.3, text/markdown;q=0.7, application/json;q=0.5', MARKDOWN, MARKDOWN],
    ['text/*, text/markdown;q=0, application/json;q=0.2', JSON_TYPE, JSON_TYPE],
    ['text/markdown;q=0, application/json;q=0', JSON_TYPE, MARKDOWN],
    ['text/markdown;q=2, application/json;q=0.1', JSON_TYPE, JSON_TYPE],
    ['text/markdown;q=x', JSON_TYPE, MARKDOWN],
    ['nonsense, /, ;q=1, text/markdown', MARKDOWN, MARKDOWN],
    [`${'a/b,'.repeat(40)}text/markdown`, JSON_TYPE, MARKDOWN],
  ])('of %j', (accept, withJson, withMarkdown) => {
    expect(preferredType(accept, [JSON_TYPE, MARKDOWN])).toBe(withJson);
    expect(preferredType(accept, [MARKDOWN, JSON_TYPE])).toBe(withMarkdown);
  });
});
