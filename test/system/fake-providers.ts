import path from 'node:path';
import { startFakeLlm, startFakeSearch, type FakeLlmServer } from '@app/testing';
import { startFakeSources, type FakeSources } from '../../libs/connectors/test/fake-sources.js';

/** What an operator sets up besides the service: here it is on loopback, and specs say how it answers. */
export interface FakeProviders {
  readonly llm: FakeLlmServer;
  readonly engines: Awaited<ReturnType<typeof startFakeSearch>>;
  /** Sources of the listing scrapers; the robots.txt of all forbids `/forbidden`. */
  readonly sources: FakeSources;
  /** The settings of a service that uses them, and the fingerprints and connectors of this folder. */
  readonly env: Readonly<Record<string, string>>;
}

/** Those of this worker: sources are loaded anew for each spec file, the process stays. */
const PLACE = Symbol.for('fake providers');
const worker: { [PLACE]?: Promise<FakeProviders> } = process as object;

/** Reset: what earlier spec files did does not show. */
export async function fakeProviders(): Promise<FakeProviders> {
  const { llm, engines, sources, env } = await (worker[PLACE] ??= start());
  for (const fake of [llm, engines, sources]) fake.reset();
  return { llm, engines, sources, env };
}

async function start(): Promise<FakeProviders> {
  const [llm, engines, sources] = await Promise.all([
    startFakeLlm(),
    startFakeSearch(),
    startFakeSources(),
  ]);
  sources.robots = 'User-agent: *\nDisallow: /forbidden';
  const { partner, jsonld, microdata, blocks, overpass } = sources.settings;
  const url = `${sources.origin}/forbidden?q={query}`;
  const reviews = [{ ...jsonld, name: 'forbidden', url }, jsonld, microdata];
  const env = {
    ...modelEnv(llm),
    ...engines.settings,
    SCRAPER_MAPS: JSON.stringify([partner, overpass]),
    SCRAPER_REVIEWS: JSON.stringify(reviews),
    SCRAPER_LISTINGS: JSON.stringify([blocks]),
    CONNECTORS_DIR: path.join(__dirname, 'provider-files/connectors'),
    TECH_FINGERPRINTS_PATH: FINGERPRINTS_FILE,
  };
  return { llm, engines, sources, env };
}

/** Technologies that no real site has, one for each kind of mark, and one whose pattern never ends on its bait. */
export const FINGERPRINTS_FILE = path.join(__dirname, 'provider-files/fingerprints.json');

/** A model for every class. */
export const modelEnv = ({ baseUrl, key }: FakeLlmServer): Readonly<Record<string, string>> => ({
  LLM_BASE_URL: baseUrl,
  LLM_API_KEY: key ?? '',
  LLM_MODEL_FREE: 'free-model',
  LLM_MODEL_LOW: 'low-model',
  LLM_MODEL_HIGH: 'high-model',
  LLM_MODEL_TOP: 'top-model',
});
