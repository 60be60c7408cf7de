import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import type { DefinedFormats } from 'ajv-formats/dist/formats.js';

const load = createRequire(import.meta.url);

/** Ajv for JSON Schema 2020-12, loaded at first use: a thread that only reads pages starts 0.05 s sooner without it. */
export function createAjv(options: (formats: DefinedFormats) => Options): Ajv2020 {
  const { Ajv2020: Ajv } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { fullFormats } = load(
    'ajv-formats/dist/formats.js',
  ) as typeof import('ajv-formats/dist/formats.js');
  return new Ajv(options(fullFormats));
}
