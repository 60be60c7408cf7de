import type { JobScrape } from '@app/contracts';
import { parseReextract, storedFormFor, type ReextractOptions } from './reextract.service.js';
import type { ReextractRequest } from './reextract.dto.js';

const SCHEMA = { type: 'object', properties: { price: { type: 'number' } } };
const MODELS = {
  llmBaseUrl: 'http://models.example/v1',
  llmModelFree: 'free-model',
  llmModelLow: 'low-model',
  llmModelHigh: 'high-model',
  llmModelTop: 'top-model',
};
const ask = (
  body: Partial<ReextractRequest>,
  plan: 'free' | 'pro' = 'pro',
  settings: Omit<typeof MODELS, 'llmBaseUrl'> & { llmBaseUrl: string | undefined } = MODELS,
): ReextractOptions => parseReextract(body as ReextractRequest, { tenant: { plan }, settings });

describe('the requested outputs of a re-extraction', () => {
  it.each<[string, Partial<ReextractRequest>, Partial<ReextractOptions>]>([
    ['nothing: the listing', {}, { listing: true, formats: [], llm: null }],
    ['a format: no listing', { formats: ['links'] }, { listing: false, formats: ['links'] }],
    ['both', { formats: ['links'], extractListing: true }, { listing: true, formats: ['links'] }],
    [
      'a schema: JSON only',
      { schema: SCHEMA },
      {
        listing: false,
        formats: [],
        llm: { modelClass: 'low', json: { schema: SCHEMA }, summary: false },
      },
    ],
    [
      'its alias, and a stronger model',
      { jsonSchema: SCHEMA, complexity: 'high' },
      { llm: { modelClass: 'high', json: { schema: SCHEMA }, summary: false } },
    ],
    [
      'free-form JSON: the best model',
      { formats: ['json', 'summary', 'markdown'] },
      { formats: ['markdown'], llm: { modelClass: 'top', json: { schema: null }, summary: true } },
    ],
  ])('%s', (_, body, wanted) => {
    expect(ask(body)).toMatchObject(wanted);
  });

  it('use the free model on the free plan', () => {
    expect(ask({ schema: SCHEMA, complexity: 'high' }, 'free').llm?.modelClass).toBe('free');
  });

  it.each<Partial<ReextractRequest>>([
    { schema: {} },
    { jsonSchema: { $ref: '#' } },
    { formats: ['summary'], schema: {} },
  ])('fail before the schema is read if no model is configured: %j', (body) => {
    const settings = { ...MODELS, llmBaseUrl: undefined };
    expect(() => ask(body, 'pro', settings)).toThrow(/^No model configured/);
  });

  it.each<[Partial<ReextractRequest>, RegExp]>([
    [{ extractListing: false }, /^Nothing is requested/],
    [{ schema: SCHEMA, jsonSchema: { type: 'string' } }, /two names of one field/],
    [{ schema: [] }, /^`schema` /],
  ])('is refused: %j', (body, said) => {
    expect(() => ask(body)).toThrow(said);
  });
});

describe('the source form of stored pages', () => {
  const EVERYTHING: Partial<ReextractRequest> = {
    formats: ['markdown', 'rawHtml', 'links', 'branding', 'json'],
    includeTags: ['main'],
    removeBase64Images: true,
  };

  it.each<[JobScrape['formats'], Partial<ReextractRequest>, string]>([
    [['rawHtml'], EVERYTHING, 'html'],
    [['markdown', 'rawHtml'], {}, 'html'],
    [['markdown'], { formats: ['markdown', 'json', 'summary'], extractListing: true }, 'markdown'],
  ])('of a job that stored %j, for %j: %s', (formats, body, form) => {
    expect(storedFormFor(ask(body), { formats })).toBe(form);
  });

  it.each<[JobScrape['formats'], Partial<ReextractRequest>, RegExp]>([
    [
      ['markdown'],
      EVERYTHING,
      /^`rawHtml`, `links`, `branding`, `includeTags`, `removeBase64Images` not available: .* `scrapeOptions\.formats`$/,
    ],
    [['markdown', 'links'], { formats: ['links'] }, /^`links` not available/],
    [['links', 'screenshot'], {}, /stored neither the source nor the Markdown/],
  ])('is missing for a job that stored %j, for %j', (formats, body, said) => {
    expect(() => storedFormFor(ask(body), { formats })).toThrow(said);
  });
});
