import { fillJson, fillUrl, type TemplateFill } from './request-template.js';

const VALUES: TemplateFill = {
  key: 'k/&1',
  url: 'https://site.example/a b?x=1&y={key}#z',
  country: null,
  render: true,
  timeoutMs: 900,
  headers: null,
  cookies: null,
};

describe('a URL template', () => {
  it('is filled percent-encoded, and a value is never read as a template', () => {
    expect(fillUrl('https://h/v1?key={key}&url={url}&r={render}', VALUES)).toBe(
      'https://h/v1?key=k%2F%261&url=https%3A%2F%2Fsite.example%2Fa%20b%3Fx%3D1%26y%3D%7Bkey%7D%23z&r=true',
    );
  });

  it.each([
    [null, 'https://h/?url=u&t=900'],
    ['DE', 'https://h/?c=cc-DE&url=u&t=900'],
  ])('with the country %s', (country, expected) => {
    const filled = fillUrl('https://h/?c=cc-{country}&url={url}&t={timeoutMs}', {
      ...VALUES,
      url: 'u',
      country,
    });
    expect(filled).toBe(expected);
  });
});

describe('a JSON template', () => {
  it('keeps the types of its values and omits fields without a value', () => {
    const template = {
      url: '{url}',
      js: '{render}',
      ms: '{timeoutMs}',
      where: { country: '{country}', all: ['{country}', 'x', 1, null] },
    };
    expect(fillJson(template, VALUES)).toEqual({
      url: VALUES.url,
      js: true,
      ms: 900,
      where: { all: ['x', 1, null] },
    });
  });
});
