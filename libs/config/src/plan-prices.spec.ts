import { parseOrigins, parsePlanPrices, soldPlanNamed } from './plan-prices.js';

describe('plan prices', () => {
  it.each([
    ['', []],
    ['pro:price_1', [{ plan: 'pro', priceId: 'price_1' }]],
    [
      ' starter:price_1, business : price_2,hobby:price_3',
      [
        { plan: 'hobby', priceId: 'price_1' },
        { plan: 'scale', priceId: 'price_2' },
        { plan: 'hobby', priceId: 'price_3' },
      ],
    ],
  ])('are read from %j', (text, prices) => {
    expect(parsePlanPrices(text)).toEqual(prices);
  });

  it.each([
    'pro',
    'pro:',
    ':price_1',
    'pro:price_1,',
    'free:price_1',
    'custom:price_1',
    'enterprise:price_1',
    'gold:price_1',
    'pro:price 1',
    'pro:price_1:x',
    `pro:${'x'.repeat(256)}`,
  ])('are refused as %j', (text) => {
    expect(() => parsePlanPrices(text)).toThrow('plan:price with the plans hobby, pro, scale');
  });

  it('name each price once', () => {
    expect(() => parsePlanPrices('pro:price_1,scale:price_1')).toThrow('each price once');
  });

  it.each([
    ['hobby', 'hobby'],
    ['starter', 'hobby'],
    ['pro', 'pro'],
    ['scale', 'scale'],
    ['business', 'scale'],
    ['free', null],
    ['custom', null],
    ['enterprise', null],
    ['PRO', null],
    ['', null],
  ])('%j is bought as %j', (name, plan) => {
    expect(soldPlanNamed(name)).toBe(plan);
  });
});

describe('origins', () => {
  it.each([
    ['', []],
    [
      'https://app.example.com, http://localhost:8080/',
      ['https://app.example.com', 'http://localhost:8080'],
    ],
    ['HTTPS://App.Example.com:443', ['https://app.example.com']],
  ])('are read from %j', (text, origins) => {
    expect(parseOrigins(text)).toEqual(origins);
  });

  it.each([
    'app.example.com',
    'https://app.example.com/pay',
    'https://app.example.com/?a',
    'https://u:p@app.example.com',
    'ftp://app.example.com',
    'javascript:alert(1)',
    'https://a.example,',
  ])('are refused as %j', (text) => {
    expect(() => parseOrigins(text)).toThrow('such as https://app.example.com');
  });
});
