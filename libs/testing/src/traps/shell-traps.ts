import { articleMarker } from '../site/article.js';
import { complete, partial, type Trap } from './trap.js';

const FRAMEWORKS = ['react', 'vue', 'angular', 'next', 'module'];
const EITHER_EMPTY = ['empty', 'js_shell'];

/** Applications and pages without anything on them. */
export const SHELL_TRAPS: readonly Trap[] = [
  ...FRAMEWORKS.map((name): Trap => ({
    path: `/shell/${name}`,
    title: `a ${name} application filled by its bundle from an API`,
    expect: complete(articleMarker(`shell-${name}`)),
    needs: 'headless',
  })),
  {
    path: '/js-shell',
    title: 'a shell filled by a script without any request',
    expect: complete('Words that only a browser sees'),
    needs: 'headless',
  },
  {
    path: '/shell/late',
    title: 'a shell whose API takes 1.5 s',
    expect: complete(articleMarker('shell-late')),
    needs: 'headless',
  },
  {
    path: '/shell/timer',
    title: 'a shell filled by a timer after 1.5 s, waited for',
    options: { waitFor: 2_500 },
    expect: complete(articleMarker('shell-timer')),
    needs: 'headless',
  },
  {
    path: '/shell/click',
    title: 'a page with more behind a button',
    options: {
      actions: [
        { type: 'click', selector: '#open' },
        { type: 'wait', ms: 3_000, selector: '#more main' },
      ],
    },
    expect: complete(articleMarker('shell-before-click'), articleMarker('shell-click')),
    needs: 'headless',
  },
  {
    path: '/shell/scroll',
    title: 'a page that grows as it is scrolled',
    options: { scroll: true },
    expect: complete('scroll-part-1 ', 'scroll-part-5 '),
    needs: 'headless',
  },
  {
    path: '/shell/hash#/pricing',
    title: 'a route after the hash, which only a browser has',
    expect: complete('Route pricing', articleMarker('shell-hash')),
    needs: 'headless',
  },
  {
    path: '/shell/broken',
    title: 'a shell whose bundle is 404',
    expect: partial(['js_shell', 'empty']),
    needs: 'any',
  },
  {
    path: '/shell/throws',
    title: 'a shell whose script throws',
    expect: partial(['js_shell', 'empty']),
    needs: 'any',
  },
  {
    path: '/shell/never',
    title: 'a shell that turns its spinner for ever',
    expect: partial(['js_shell', 'empty', 'timeout']),
    needs: 'any',
  },
  {
    path: '/shell/noscript',
    title: 'words for readers without scripts alone, and no script',
    expect: partial([null, 'js_shell', 'empty']),
    needs: 'any',
  },
  {
    path: '/shell/hydrated',
    title: 'a server-rendered application: complete without a browser',
    expect: complete(articleMarker('shell-hydrated')),
    needs: 'plain',
  },
  {
    path: '/shell/document-write',
    title: 'a page written by document.write',
    expect: complete(articleMarker('shell-document-write')),
    needs: 'headless',
  },
  {
    path: '/shell/script-redirect',
    title: 'a page that moves on by script',
    expect: {
      ...complete(articleMarker('script-redirect')),
      endsAt: '/shell/target/script-redirect',
    },
    needs: 'headless',
  },
  {
    path: '/shell/meta-refresh',
    title: 'a page that moves on by meta refresh',
    expect: { ...complete(articleMarker('meta-refresh')), endsAt: '/shell/target/meta-refresh' },
    needs: 'any',
  },
  ...(
    [
      ['/blank', 'a body of no bytes'],
      ['/empty', 'an empty body element'],
      ['/status/204', '204'],
      ['/status/205', '205 with a body that no browser reads'],
      ['/kind/only-comments', 'comments alone'],
      ['/kind/only-spaces', 'non-breaking spaces alone'],
      ['/kind/only-hidden', 'hidden text alone'],
      ['/kind/only-scripts', 'scripts alone'],
    ] as const
  ).map(([path, title]): Trap => ({
    path,
    title: `nothing on the page: ${title}`,
    // 205: a client may read its body all the same (RFC 9110 15.3.6 forbids servers to send one).
    expect: partial(
      path === '/status/205'
        ? ['empty', null]
        : path.endsWith('scripts')
          ? EITHER_EMPTY
          : ['empty'],
    ),
    needs: 'any',
  })),
  {
    path: '/blank?forced',
    title: 'a blank page, straight in the browser',
    options: { forceHeadless: true },
    expect: partial(['empty']),
    needs: 'any',
  },
  {
    path: '/kind/only-images',
    title: 'pictures alone; whether their descriptions are content is a matter of taste',
    expect: partial([null, 'empty'], 'lighthouse'),
    needs: 'any',
  },
];
