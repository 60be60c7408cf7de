import { type ListingSurvey, type ReadablePage, surveyListing } from '@app/content';
import { domainOf } from '../domain.js';
import { type JsonLdNode, jsonLdNodes } from './json-ld-nodes.js';
import { type Markings, surveyMarkings } from './markings.js';
import { OwnVoice } from './own-voice.js';

/** Input of all readers of a page, each part gathered once. */
export interface SurveyedPage {
  readonly page: ReadablePage;
  readonly domain: string;
  readonly survey: ListingSurvey;
  readonly markings: Markings;
  readonly nodes: readonly JsonLdNode[];
  readonly voice: OwnVoice;
}

export function surveyCompanyPage(page: ReadablePage): SurveyedPage {
  return {
    page,
    domain: domainOf(page.url),
    survey: surveyListing(page.parsed.document),
    markings: surveyMarkings(page.parsed.document),
    nodes: jsonLdNodes(page.jsonLd.items),
    voice: new OwnVoice(),
  };
}
