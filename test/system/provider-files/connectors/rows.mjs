import { readFile } from 'node:fs/promises';

const rowsOf = async (file) => JSON.parse(await readFile(file, 'utf8'));

/** Rows that a file lists, or none at all where it is missing. */
export default {
  id: 'rows_of_a_file',
  title: 'Rows of a file',
  description: 'Rows of a file.',
  params: {
    type: 'object',
    properties: { file: { type: 'string' } },
    required: ['file'],
    additionalProperties: false,
  },
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'integer' } },
    required: ['name'],
    additionalProperties: false,
  },
  pricePerRecordUsd: 0.0024,
  keyOf: (row) => row.name,
  match: () => null,
  preview: async ({ file }) => ({ rows: await rowsOf(file), estimatedRows: null }),
  async *run({ file }) {
    yield* await rowsOf(file);
  },
};
