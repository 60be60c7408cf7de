import { TdmFile } from './tdm-file.js';

const at = (rules: unknown, path: string) =>
  TdmFile.parse(
    typeof rules === 'string' ? rules : JSON.stringify(rules),
    'https://a.example/.well-known/tdmrep.json',
  ).declaredUse(new URL(path, 'https://a.example'));

const RESERVED = { aiInput: false, aiTrain: false, sources: ['tdmrep.json'] };
const FREE = { aiInput: true, aiTrain: true, sources: ['tdmrep.json'] };

// Rules of the report's own example.
const EXAMPLE = [
  { location: '/directory-a/', 'tdm-reservation': 1 },
  {
    location: '/directory-b/html/',
    'tdm-reservation': 1,
    'tdm-policy': 'https://provider.example/policies/policy.json',
  },
  { location: '/directory-b/images/*.jpg', 'tdm-reservation': 0 },
];

describe('a tdmrep.json', () => {
  it.each([
    ['/directory-a/x.pdf', RESERVED],
    ['/directory-a', undefined],
    ['/directory-b/html/x', { ...RESERVED, tdmPolicy: 'https://provider.example/policies/policy.json' }],
    ['/directory-b/images/x.jpg', FREE],
    ['/directory-b/images/x.png', undefined],
    ['/Directory-a/x', undefined],
  ])('says of %s %j', (path, use) => {
    expect(at(EXAMPLE, path)).toEqual(use);
  }); // prettier-ignore

  it('counts its first rule that matches', () => {
    const rules = [
      { location: '/free/', 'tdm-reservation': 0 },
      { location: '/', 'tdm-reservation': 1 },
      { location: '/free/not', 'tdm-reservation': 1 },
    ];
    expect([at(rules, '/free/not'), at(rules, '/x')]).toEqual([FREE, RESERVED]);
  });

  it.each<[string, unknown]>([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['an object', { location: '/', 'tdm-reservation': 1 }],
    ['no rules', [null, 1, 'x', []]],
    ['a rule without a location', [{ 'tdm-reservation': 1 }]],
    ['a rule without a reservation', [{ location: '/', 'tdm-policy': 'https://a.example/' }]],
    ['a protocol error', [{ location: '/', 'tdm-reservation': 'yes' }]],
    ['a location that is a list', [{ location: ['/'], 'tdm-reservation': 1 }]],
    ['a prototype', '[{"__proto__": {"location": "/", "tdm-reservation": 1}}]'],
    ['ten thousand brackets', '['.repeat(10_000)],
  ])('that is %s says nothing', (_, rules) => {
    expect(at(rules, '/')).toBeUndefined();
  });

  it.each([
    [1_000, RESERVED],
    [1_001, undefined],
  ])('has a thousand rules at most: the last of %i says %j', (count, use) => {
    const rules = Array.from({ length: count }, (_, n) => ({
      ...{ location: `/${n}$`, 'tdm-reservation': 1 },
    }));
    expect(at(rules, `/${count - 1}`)).toEqual(use);
  });
});
