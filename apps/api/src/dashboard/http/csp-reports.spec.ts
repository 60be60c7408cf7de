import { reportsIn } from './csp-reports.js';

describe('reports of browsers', () => {
  it('are read in the older format', () => {
    const report = {
      'document-uri': 'http://a.example/dashboard/jobs?x=1',
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'inline',
    };
    expect(reportsIn(JSON.stringify({ 'csp-report': report }))).toEqual([
      { directive: 'script-src-elem', blocked: 'inline', page: '/dashboard/jobs' },
    ]);
  });

  it('are read in the newer format, several at once', () => {
    const body = {
      effectiveDirective: 'img-src',
      blockedURL: 'http://x.example/',
      documentURL: '',
    };
    expect(reportsIn(JSON.stringify([{ type: 'csp-violation', body }, { body }]))).toHaveLength(2);
  });

  it.each(['', '{', 'null', '[]', '[null]', '{"csp-report":5}', '"x"', '{"csp-report":{}}'])(
    'are not found in %j',
    (text) => {
      expect(reportsIn(text)).toEqual([]);
    },
  );

  it('are bounded', () => {
    const report = { 'effective-directive': 'x'.repeat(9_000), 'blocked-uri': 'y'.repeat(9_000) };
    const [read] = reportsIn(JSON.stringify({ 'csp-report': report }));
    expect(read?.directive).toHaveLength(300);
    expect(read?.blocked).toHaveLength(300);
  });
});
