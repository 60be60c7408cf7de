import { renderingLine } from './welcome.js';

describe('the line about rendering in the text of a start', () => {
  const NONE = { browserWsUrl: undefined, hostedCrawlerUrl: undefined };
  const FAILED = { ok: false, problem: '/x does not start: it ended' } as const;

  it.each([
    [
      'a browser runs',
      { ok: true, version: '156.0' } as const,
      NONE,
      /: rendered by Chromium 156.0$/,
    ],
    ['it is late', 'late' as const, NONE, /still starting/],
    [
      'it does not start',
      FAILED,
      NONE,
      /NOT rendered: \/x does not start: it ended\.\n {2}Fix: .*npm start/,
    ],
    [
      'it is switched off',
      null,
      NONE,
      /NOT rendered: switched off by TRAWL_BROWSER or BROWSER_MAX$/,
    ],
    [
      'a remote one is set',
      FAILED,
      { ...NONE, browserWsUrl: 'ws://x' },
      /: rendered by the browser of/,
    ],
    [
      'a hosted crawler is set',
      null,
      { ...NONE, hostedCrawlerUrl: 'http://x' },
      /: rendered by HOSTED/,
    ],
  ])('when %s', (_name, browser, settings, line) => {
    expect(renderingLine(browser, settings)).toMatch(line);
  });
});
