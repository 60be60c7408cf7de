import { articleMarker } from '../site/article.js';
import { complete, trapFailure, partial, type Trap } from './trap.js';

const forced = { forceHeadless: true } as const;

/** Frames, shadow trees, overlays, dialogs, popups, scripts that harm, and what a visitor does. */
export const BROWSER_TRAPS: readonly Trap[] = [
  ...frameTraps(),
  ...dialogTraps(),
  ...scriptTraps(),
  ...hogTraps(),
  {
    path: '/script/infinite',
    title: 'a script without an end after the article: plain needs no scripts',
    expect: complete(articleMarker('script-infinite')),
    needs: 'plain',
  },
  {
    path: '/state/keep?mark=trap',
    title: 'a page that keeps something everywhere, a service worker too',
    // No request shows how long it takes; closed ports cost it half a second each.
    options: { ...forced, waitFor: 3_000 },
    expect: complete('places-shown'),
    needs: 'headless',
  },
  {
    path: '/media',
    title: 'pictures, fonts, films and sounds',
    options: forced,
    expect: complete(articleMarker('media')),
    needs: 'headless',
  },
];

function frameTraps(): readonly Trap[] {
  const traps: readonly (readonly [string, string, readonly string[]])[] = [
    ['srcdoc', 'a srcdoc frame', [articleMarker('frames-srcdoc-inner')]],
    [
      'nested',
      'frames of the site, three deep',
      [1, 2, 3].map((n) => articleMarker(`frames-nested-${n}`)),
    ],
    [
      'shadow',
      'open shadow roots with a slot, nested',
      ['slotted-in-the-card', 'Card of the outer root', articleMarker('frames-shadow-inner')],
    ],
    [
      'shadow-declared',
      'a shadow root declared in the markup',
      [articleMarker('frames-declared-inner'), 'light-child-of-the-host'],
    ],
    [
      'thirteen',
      'thirteen places a text may hide in',
      Array.from({ length: 13 }, (_, n) => `target-${n + 1}-end`),
    ],
    [
      'shadow-closed',
      'a closed shadow root: the page around it',
      [articleMarker('frames-shadow-closed')],
    ],
    ['self', 'a page that frames itself', [articleMarker('frames-self')]],
  ];
  return [
    ...traps.map(([name, title, texts]): Trap => ({
      path: `/frames/${name}`,
      title,
      options: forced,
      expect: complete(...texts),
      needs: 'headless',
    })),
    {
      path: '/frames/cross-origin',
      title: 'a frame of another origin, which is another page',
      options: forced,
      expect: {
        ...complete(articleMarker('frames-cross-origin')),
        markdownExcludes: [articleMarker('leaf-foreign')],
      },
      needs: 'headless',
    },
    {
      path: '/frames/hung',
      title: 'a frame that never answers',
      options: forced,
      expect: partial([null, 'timeout'], articleMarker('frames-hung')),
      needs: 'headless',
    },
    {
      path: '/frames/many',
      title: '200 frames',
      options: forced,
      // A busy machine may not get through them in time; then that is said.
      expect: [partial([null, 'timeout'], articleMarker('frames-many')), trapFailure('timeout')],
      needs: 'headless',
      isHeavy: true,
    },
    {
      path: '/frames/overlay',
      title: 'a consent banner and a newsletter box before the content',
      options: { ...forced, onlyMainContent: true },
      expect: {
        ...complete(articleMarker('frames-overlay')),
        markdownExcludes: ['We value your privacy', 'Join our newsletter'],
      },
      needs: 'headless',
    },
    {
      path: '/kind/only-frame',
      title: 'a page whose only content is a frame of the site',
      expect: complete(articleMarker('leaf-only-frame')),
      needs: 'headless',
    },
    {
      path: '/kind/frameset',
      title: 'a frameset of the nineties',
      expect: complete(articleMarker('leaf-left'), articleMarker('leaf-right')),
      needs: 'headless',
    },
  ];
}

function dialogTraps(): readonly Trap[] {
  const names = [
    'alert',
    'confirm',
    'prompt',
    'beforeunload',
    'print',
    'fullscreen',
    'permissions',
  ];
  return [
    ...names.map((name): Trap => ({
      path: `/dialog/${name}`,
      title: `asks by ${name}`,
      options: forced,
      expect: partial([null, 'timeout'], articleMarker(`dialog-${name}`)),
      needs: 'headless',
    })),
    {
      path: '/dialog/alert-loop',
      title: 'alerts without an end: what was there, or a timeout',
      options: forced,
      expect: [
        partial([null, 'timeout'], articleMarker('dialog-alert-loop')),
        trapFailure('timeout'),
      ],
      needs: 'any',
    },
    ...['storm', 'links'].map((name): Trap => ({
      path: `/popup/${name}`,
      title: `opens windows by ${name}`,
      options: forced,
      expect: complete(articleMarker(`popup-${name}`)),
      needs: 'headless',
    })),
  ];
}

function scriptTraps(): readonly Trap[] {
  const busy = ['intervals', 'mutations', 'workers', 'overwritten', 'throwing'];
  const stuck = ['infinite', 'infinite-early', 'microtasks'];
  return [
    ...busy.map((name): Trap => ({
      path: `/script/${name}`,
      title: `a page whose scripts never rest: ${name}`,
      options: forced,
      expect: partial([null, 'timeout'], articleMarker(`script-${name}`)),
      needs: 'headless',
      ...(name === 'workers' ? { isHeavy: true } : {}),
    })),
    {
      path: '/script/requests',
      title: '5,000 requests at once: the article, or a timeout while the thread is busy with them',
      options: forced,
      expect: [
        partial([null, 'timeout'], articleMarker('script-requests')),
        trapFailure('timeout'),
      ],
      needs: 'any',
      isHeavy: true,
    },
    ...stuck.map((name): Trap => ({
      path: `/script/${name}?forced`,
      title: `a thread that never comes back (${name}): what was there, or a timeout`,
      options: forced,
      expect: [partial(['timeout'], articleMarker(`script-${name}`)), trapFailure('timeout')],
      needs: 'any',
    })),
  ];
}

/**
 * What a page that ends its own renderer is, in the words of error classes, depends on who notices.
 */
function hogTraps(): readonly Trap[] {
  const hogs = ['memory/arrays', 'memory/buffers', 'memory/dom', 'memory/canvas'];
  const crashes = ['crash/text', 'crash/early-text'];
  return [...hogs, ...crashes].map((name): Trap => ({
    path: `/${name}`,
    title: `takes all the memory there is (${name}): what was there, or a named failure`,
    options: forced,
    expect: [
      partial([null, 'timeout', 'body'], articleMarker(name.replace('/', '-'))),
      trapFailure('timeout', 'unknown'),
    ],
    needs: 'any',
    isHeavy: true,
  }));
}
