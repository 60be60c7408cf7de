import { jobAddress } from './job-address.js';

const OWN = 'http://own.example:3000/';

describe('the address of a job', () => {
  it.each([
    ['http', '127.0.0.1:3000', 'http://127.0.0.1:3000/v2/crawl/1'],
    ['https', 'API.example', 'https://api.example/v2/crawl/1'],
    ['http', '[::1]:3000', 'http://[::1]:3000/v2/crawl/1'],
    ['http', '', 'http://own.example:3000/v2/crawl/1'],
    ['http', 'a.example/evil?', 'http://own.example:3000/v2/crawl/1'],
    ['http', 'user@a.example', 'http://own.example:3000/v2/crawl/1'],
    ['http', 'a b', 'http://own.example:3000/v2/crawl/1'],
  ])('under %s with the host %j is %s', (protocol, host, address) => {
    const request = { protocol: protocol as 'http', host };
    expect(jobAddress(request, '/v2/crawl/1', OWN)).toBe(address);
  });
});
