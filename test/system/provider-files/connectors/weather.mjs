/** A connector of an operator: a plain module outside of the project. */
export default {
  id: 'weather_stations',
  title: 'Weather stations',
  description: 'Stations of a region.',
  params: {
    type: 'object',
    properties: { region: { type: 'string' }, slow: { type: 'boolean' } },
    required: ['region'],
    additionalProperties: false,
  },
  schema: {
    type: 'object',
    properties: { station: { type: 'string' }, height: { type: 'integer' } },
    required: ['station'],
    additionalProperties: false,
  },
  pricePerRecordUsd: 0.0048,
  keyOf: (row) => row.station,
  match: ({ text, place }) =>
    /weather stations?/i.test(text) && place ? { score: 0.99, params: { region: place } } : null,
  preview: async ({ region }) => ({
    rows: [1, 2, 3, 4, 5, 6].map((height) => ({ station: `${region} ${height}`, height })),
    estimatedRows: 300,
  }),
  async *run({ region, slow }) {
    for (let height = 1; height <= 300; height++) {
      if (slow && height > 3) await new Promise(() => undefined);
      yield { station: `${region} ${height}`, height };
    }
  },
};
