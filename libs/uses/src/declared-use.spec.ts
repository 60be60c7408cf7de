import {
  joinDeclared,
  readUses,
  refusesUse,
  tdmUse,
  termsUrl,
  type DeclaredUse,
  type Uses,
} from './declared-use.js';

describe('the uses that a declaration names', () => {
  it.each<[string, string, Uses]>([
    ['all of Content-Signal', 'search=yes, ai-input=no, ai-train=no', { search: true, aiInput: false, aiTrain: false }],
    ['without blanks, as Cloudflare writes it', 'search=yes,ai-train=no,use=reference', { search: true, aiTrain: false, use: 'reference' }],
    ['in capitals', 'Search=YES, AI-Train=No', { search: true, aiTrain: false }],
    ['of Content-Usage', 'train-ai=n, search=y', { aiTrain: false, search: true }],
    ['with parameters', 'train-ai=n;until=2030, search=y;a="b"', { aiTrain: false, search: true }],
    ['twice: the last one counts', 'train-ai=y, train-ai=n', { aiTrain: false }],
    ['twice, the last one without a value', 'train-ai=n, train-ai', {}],
    ['with a value that says nothing', 'ai-train=maybe, search=conditional, use=all', {}],
    ['unknown', 'ai-index=no, bots=n, __proto__=no, constructor=no', {}],
    ['nothing', '', {}],
    ['prose', 'you may not train on this', {}],
  ])('are read: %s', (_, text, uses) => {
    expect(readUses(text)).toEqual(uses);
  }); // prettier-ignore

  it.each([
    [990, { aiTrain: false }],
    [991, {}],
  ])('are read from the first 1,000 characters: at %i %j', (blanks, uses) => {
    expect(readUses(`${' '.repeat(blanks)}ai-train=n`)).toEqual(uses);
  });
});

describe('a reservation of TDMRep', () => {
  const RESERVED: DeclaredUse = { aiInput: false, aiTrain: false, sources: ['meta'] };
  it.each<[unknown, DeclaredUse | undefined]>([
    ['1', RESERVED],
    [1, RESERVED],
    [' 1 ', RESERVED],
    ['0', { aiInput: true, aiTrain: true, sources: ['meta'] }],
    ['true', undefined],
    [true, undefined],
    ['2', undefined],
    ['1, 1', undefined],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
  ])('of %j is %j', (written, use) => {
    expect(tdmUse(written, undefined, 'meta')).toEqual(use);
  });

  it('has a policy only where rights are reserved', () => {
    const policy = 'https://a.example/policy.json';
    expect(tdmUse('1', policy, 'header')).toMatchObject({ tdmPolicy: policy });
    expect(tdmUse('0', policy, 'header')).not.toHaveProperty('tdmPolicy');
    expect(tdmUse(undefined, policy, 'header')).toBeUndefined();
  });
});

describe('several declarations', () => {
  it('are as strict as the strictest of them', () => {
    const joined = joinDeclared([
      { search: true, aiTrain: true, use: 'full', sources: ['robots.txt'] },
      undefined,
      { aiTrain: false, use: 'immediate', sources: ['header'] },
      { aiInput: true, license: 'https://a.example/1', sources: ['rsl'] },
      { license: 'https://a.example/2', tdmPolicy: 'https://a.example/p', sources: ['rsl'] },
    ]);
    expect(joined).toEqual({
      ...{ search: true, aiInput: true, aiTrain: false, use: 'immediate' },
      ...{ license: 'https://a.example/1', tdmPolicy: 'https://a.example/p' },
      sources: ['robots.txt', 'header', 'rsl'],
    });
  });

  it('are nothing without any', () => {
    expect(joinDeclared([undefined, undefined])).toBeUndefined();
  });

  it.each<[DeclaredUse | undefined, boolean]>([
    [undefined, false],
    [{ sources: ['header'] }, false],
    [{ search: false, sources: ['header'] }, false],
    [{ aiTrain: true, sources: ['header'] }, false],
    [{ aiTrain: false, sources: ['header'] }, true],
  ])('refuse only what they name: %j', (declared, isRefused) => {
    expect(refusesUse(declared, 'ai-train')).toBe(isRefused);
  });
});

describe('the URL of terms', () => {
  it.each([
    ['/rsl.xml', 'https://a.example/rsl.xml'],
    [' https://b.example/x ', 'https://b.example/x'],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['https://', undefined],
    ['', undefined],
    [' ', undefined],
    [7, undefined],
    [`https://a.example/${'x'.repeat(2_030)}`, `https://a.example/${'x'.repeat(2_030)}`],
    [`https://a.example/${'x'.repeat(2_031)}`, undefined],
  ])('%p is %p', (written, url) => {
    expect(termsUrl(written, 'https://a.example/dir/page')).toBe(url);
  });
});
