import { readDocument } from './stored-document.js';

describe('a stored document', () => {
  it('is read field by field', () => {
    const metadata = { title: 'T', fetchMethod: 'plain', latencyMs: 12 };
    const stored = { url: 'http://a.example/', statusCode: 200, markdown: '# a', metadata };
    expect(readDocument(stored)).toEqual({
      url: 'http://a.example/',
      title: 'T',
      statusCode: 200,
      fetchedBy: 'plain',
      latencyMs: 12,
      markdown: '# a',
      partialReason: null,
      json: JSON.stringify(stored, null, 2),
    });
  });

  it.each([null, 5, 'x', [], {}, { metadata: 'x', url: 5, markdown: {} }])(
    'of another shape shows nothing: %j',
    (value) => {
      expect(readDocument(value)).toMatchObject({ url: '', title: null, markdown: null });
    },
  );
});
