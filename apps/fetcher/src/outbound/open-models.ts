import { reserveModelCall } from '@app/accounts';
import type { HttpClient } from '@app/egress';
import { LlmClient } from '@app/providers';
import type { Runtime } from '@app/runtime';
import { ModelReader, type ReadingThreads } from '@app/scrape';

/** Null if no model server is configured. */
export function openModels(
  { settings, log, database }: Pick<Runtime, 'settings' | 'log' | 'database'>,
  threads: ReadingThreads,
  clientFor: (endpoint: string) => HttpClient,
): ModelReader | null {
  const { llmBaseUrl: endpoint } = settings;
  if (endpoint === undefined) return null;
  const named = (model: string): string | null => (model === '' ? null : model);
  const models = {
    free: named(settings.llmModelFree),
    low: named(settings.llmModelLow),
    high: named(settings.llmModelHigh),
    top: named(settings.llmModelTop),
  };
  const visionModel = named(settings.llmModelVision);
  log.info({ models, visionModel }, 'models');
  const client = new LlmClient({
    endpoint,
    http: clientFor(endpoint),
    key: named(settings.llmApiKey),
    models,
    visionModel,
  });
  const gate = { admit: (tenantId: string) => reserveModelCall(database, tenantId) };
  return new ModelReader({ client, gate, threads });
}
