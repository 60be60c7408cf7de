import { parseModelRequest, type ModelCaller } from './model-request.js';

const CALLER: ModelCaller = {
  tenant: { plan: 'free' },
  settings: {
    llmBaseUrl: 'http://models.example/v1',
    llmModelFree: 'free-model',
    llmModelLow: '',
    llmModelHigh: '',
    llmModelTop: '',
  },
};

describe('the schema of a request', () => {
  /** Counts how often it is read. */
  const counted = (properties: object) => {
    let reads = 0;
    const schema = {
      type: 'object',
      get properties() {
        reads += 1;
        return properties;
      },
    };
    return { schema, reads: () => reads };
  };

  it.each<[string, object]>([
    ['that is good', { price: { type: 'number' } }],
    ['that is none', { price: { type: 'number', minimum: 'x' } }],
  ])('is checked once for all pages of a batch: %s', (_what, properties) => {
    const { schema, reads } = counted(properties);
    const parse = () => {
      try {
        return parseModelRequest({ schema }, { json: true, summary: false }, CALLER)?.modelClass;
      } catch (error) {
        return String(error);
      }
    };
    const first = parse();
    const readsOfFirst = reads();
    expect(readsOfFirst).toBeGreaterThan(0);
    expect(parse()).toBe(first);
    expect(reads()).toBe(readsOfFirst);
  });
});
