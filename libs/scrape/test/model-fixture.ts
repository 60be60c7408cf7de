import { Deadline, type JsonSchema } from '@app/contracts';
import { EgressGuard, HttpClient } from '@app/egress';
import { LlmClient, type LlmClientOptions } from '@app/providers';
import { startFakeLlm, startLeakCheck, type FakeLlmServer } from '@app/testing';
import { ModelReader, type ReadLimits } from '../src/models/model-reader.js';
import type { ModelGate } from '../src/models/model-session.js';
import { ReadingThreads, type ReadingThreadsOptions } from '../src/models/reading-threads.js';

/** A page with data for a model. */
export const MODEL_PAGE = {
  url: 'https://shop.example/anvil',
  title: 'Anvil, black',
  markdown: [
    '# Acme Anvil',
    '',
    'The anvil is made of steel. It weighs 12 kg. Nothing beats it.',
    '',
    '- **Price:** $1,234.50',
    '- Maker: Acme Inc',
    '- In stock: yes',
    '- Tags: heavy, black',
    '- Condition: used',
  ].join('\n'),
};

export const ANVIL_SCHEMA: JsonSchema = {
  price: 'number',
  maker: 'string',
  in_stock: 'boolean',
  tags: 'string[]',
  ceo: 'string',
};

/** The values of {@link ANVIL_SCHEMA} in {@link MODEL_PAGE}. */
export const READ = {
  price: 1234.5,
  maker: 'Acme Inc',
  in_stock: true,
  tags: ['heavy', 'black'],
  ceo: null,
};

export const limits = (over: Partial<ReadLimits> = {}): ReadLimits => ({
  deadline: Deadline.after(60_000),
  budgetMicroUsd: 1_000_000,
  tenantId: 'a',
  ...over,
});

/** Reading threads that run the sources; none starts before its first task. */
export function openReadingThreads(over: Partial<ReadingThreadsOptions> = {}): ReadingThreads {
  return new ReadingThreads({
    threads: 1,
    module: new URL('./reading-thread.mjs', import.meta.url),
    onProblem: (what, cause) => {
      throw new Error(what, { cause });
    },
    ...over,
  });
}

/** Started threads: a start takes longer than most tests. */
export async function startReadingThreads(): Promise<ReadingThreads> {
  const threads = openReadingThreads();
  const task = { markdown: 'Some words. '.repeat(100), maxTokens: 100 };
  await threads.run('cut', task, { deadline: Deadline.after(100_000) });
  return threads;
}

/** A model server and its readers. */
export interface ModelFixture {
  readonly fake: FakeLlmServer;
  reader(top?: string | null, maxPartTokens?: number): ModelReader;
  /** Model calls that a tenant has. @default without limit */
  readonly calls: Map<string, number>;
  /** Also fails if something was left open. */
  close(): Promise<void>;
}

/** @param shared threads that outlast the fixture; without them it has its own */
export async function startModelFixture(shared?: ReadingThreads): Promise<ModelFixture> {
  const threads = shared ?? openReadingThreads();
  const calls = new Map<string, number>();
  const gate: ModelGate = {
    admit: (tenantId) => {
      const left = calls.get(tenantId) ?? Infinity;
      calls.set(tenantId, left - 1);
      return Promise.resolve({ ok: left > 0, limit: 7 });
    },
  };
  const leaks = startLeakCheck();
  const fake = await startFakeLlm();
  const guard = EgressGuard.forEndpoint(fake.baseUrl);
  const http = new HttpClient({
    guard,
    userAgent: 'Test/1',
    connectTimeoutMs: 60_000,
    headersTimeoutMs: 60_000,
  });
  const clientOptions = (top: string | null): LlmClientOptions => ({
    endpoint: fake.baseUrl,
    http,
    key: fake.key,
    models: { free: 'tiny', low: 'small', high: 'big', top },
    visionModel: 'eyes',
    idleTimeoutMs: 60_000,
    backoffMs: 5,
  });
  return {
    fake,
    calls,
    reader: (top = null, maxPartTokens) =>
      new ModelReader({
        client: new LlmClient(clientOptions(top)),
        gate,
        threads,
        ...(maxPartTokens === undefined ? {} : { maxPartTokens }),
      }),
    async close() {
      await http.close();
      await fake.close();
      if (!shared) await threads.close();
      await leaks.assertClean();
    },
  };
}
