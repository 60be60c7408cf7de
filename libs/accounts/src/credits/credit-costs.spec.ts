import { hasNoData } from './credit-costs.js';

describe('a page without data, which costs nothing', () => {
  it.each([
    ['a whole page', {}, false],
    ['an empty page', { partialReason: 'empty' }, true],
    ['a page that was cut', { partialReason: 'timeout' }, false],
    [
      'a shell that a browser rendered',
      { partialReason: 'js_shell', signals: ['noscript'] },
      false,
    ],
    [
      'a page that says, rendered, that it needs scripts',
      { partialReason: 'js_shell', signals: ['enable_javascript_text'] },
      true,
    ],
    [
      'a shell where no browser runs',
      { partialReason: 'js_shell', signals: ['noscript', 'browser_unavailable'] },
      true,
    ],
    [
      'a cut page where no browser runs',
      { partialReason: 'timeout', signals: ['browser_unavailable'] },
      false,
    ],
  ])('%s', (_name, page, isFree) => {
    expect(hasNoData(page)).toBe(isFree);
  });
});
