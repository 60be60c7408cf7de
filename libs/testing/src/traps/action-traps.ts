import { articleMarker } from '../site/article.js';
import { complete, type Trap } from './trap.js';

/** What a visitor may do, and what cannot be done. */
export const ACTION_TRAPS: readonly Trap[] = [
  doing('click', [{ type: 'click', selector: '#add' }], 'button-was-clicked'),
  doing('write', [{ type: 'write', selector: '#name', text: 'Ada' }], 'typed-Ada'),
  doing(
    'press',
    [
      { type: 'click', selector: '#note' },
      { type: 'press', key: 'Enter' },
    ],
    'pressed-Enter',
  ),
  doing(
    'submit',
    [
      { type: 'write', selector: '#name', text: 'Ada' },
      { type: 'press', selector: '#name', key: 'Enter' },
    ],
    'sent-Ada',
  ),
  doing(
    'scroll',
    [
      { type: 'scroll', ms: 1_500 },
      { type: 'wait', ms: 300 },
    ],
    'scrolled',
  ),
  doing(
    'scroll-list',
    Array.from({ length: 3 }, () => ({ type: 'scroll', selector: '#rows', ms: 5_000 })).flatMap(
      (scroll) => [scroll, { type: 'wait', ms: 100 }],
    ),
    'row-30-end',
  ),
  doing(
    'wait-selector',
    [
      { type: 'click', selector: '#later-button' },
      { type: 'wait', ms: 3_000, selector: '#late' },
    ],
    'came-late',
  ),
  {
    path: '/actions?navigate',
    title: 'a click that leads to another page',
    options: {
      actions: [
        { type: 'click', selector: '#next' },
        { type: 'wait', ms: 500 },
      ],
    },
    expect: { ...complete(articleMarker('actions-next')), endsAt: '/actions/next' },
    needs: 'headless',
  },
  failing('nothing-there', [{ type: 'click', selector: '#no-such-thing' }]),
  failing('hidden', [{ type: 'click', selector: '#hidden' }]),
  failing('bad-selector', [{ type: 'click', selector: ':::' }]),
  failing('never-there', [{ type: 'wait', ms: 500, selector: '#no-such-thing' }]),
];

type WireAction = Readonly<Record<string, unknown>>;

function doing(name: string, actions: readonly WireAction[], text: string): Trap {
  return {
    path: `/actions?${name}`,
    title: `does ${name}`,
    options: { actions },
    expect: complete(articleMarker('actions'), text),
    needs: 'headless',
  };
}

/** The second action cannot be done, so its index is 1. */
function failing(name: string, actions: readonly WireAction[]): Trap {
  return {
    path: `/actions?${name}`,
    title: `cannot do ${name}: the answer names the action`,
    options: { actions: [{ type: 'wait', ms: 10 }, ...actions] },
    expect: { status: 422, action: { index: 1, type: String(actions[0]?.type) } },
    needs: 'any',
  };
}
