import type { PageMetadata } from '@app/contracts';
import type { DeclaredUse } from '@app/uses';
import { parsePage } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { readMetadata } from './read-metadata.js';

const URL_TEXT = 'https://a.example/docs/page';

function metadataOf(head: string): PageMetadata {
  const { described } = parsePage(`<head>${head}</head><p>text`);
  return readMetadata(described, new UrlResolver(URL_TEXT)).metadata;
}

const RSL = '<link rel="license" type="application/rsl+xml" href="/rsl.xml">';

describe('what the head of a page declares', () => {
  it.each<[string, string, DeclaredUse | undefined]>([
    [
      'TDMRep',
      '<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="/policy.json">',
      {
        ...{ aiInput: false, aiTrain: false, tdmPolicy: 'https://a.example/policy.json' },
        sources: ['meta'],
      },
    ],
    [
      'that nothing is reserved',
      '<meta name="TDM-Reservation" content="0">',
      { aiInput: true, aiTrain: true, sources: ['meta'] },
    ],
    [
      'a reservation without a policy',
      '<meta name="tdm-reservation" content="1">',
      { aiInput: false, aiTrain: false, sources: ['meta'] },
    ],
    ['a policy alone', '<meta name="tdm-policy" content="/policy.json">', undefined],
    ['an RSL licence', RSL, { license: 'https://a.example/rsl.xml', sources: ['meta'] }],
    ['another licence', '<link rel="license" href="https://cc.example/by/4.0/">', undefined],
    [
      'a policy that is no web address',
      '<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="javascript:1">',
      { aiInput: false, aiTrain: false, sources: ['meta'] },
    ],
    ['nothing', '<meta name="robots" content="noindex">', undefined],
  ])('is read: %s', (_, head, use) => {
    expect(metadataOf(head).contentUse).toEqual(use);
  });
});

describe('the page in Markdown', () => {
  const link = (href: string, more = ''): string =>
    `<link rel="alternate" type="text/markdown" href="${href}"${more}>`;
  it.each<[string, string, string | undefined]>([
    ['its own', link('page.md'), 'https://a.example/docs/page.md'],
    ['after a list of pages', link('/llms.txt') + link('/docs/page.md'), 'https://a.example/docs/page.md'],
    ['a list of pages alone', link('/llms.txt', ' title="LLM-friendly version"'), undefined],
    ['all pages in one', link('/llms-full.txt'), undefined],
    ['a feed', '<link rel="alternate" type="application/rss+xml" href="/feed">', undefined],
    ['of no known protocol', link('data:text/markdown,x'), undefined],
  ])('is named by the head: %s', (_, head, url) => {
    expect(metadataOf(head).markdownUrl).toBe(url);
  }); // prettier-ignore
});
