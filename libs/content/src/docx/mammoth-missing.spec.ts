import { readFile } from '../files/read-file.js';
import { paragraph, tinyDocx } from './fixtures/tiny-docx.js';

jest.mock('mammoth', () => {
  throw new Error("Cannot find module 'mammoth'");
});

describe('readDocx without its component', () => {
  it('reports that DOCX is not available', async () => {
    expect(await readFile(tinyDocx({ body: paragraph('Text.') }))).toEqual({
      ok: false,
      problem: 'docx_unavailable',
      message: 'DOCX parsing not available',
    });
  });

  it('still refuses a file that means harm for what it is', async () => {
    const bytes = tinyDocx({ body: '', parts: { '../x': 'x' } });
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'malformed' });
  });
});
