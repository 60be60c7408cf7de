import { ApiError } from '@app/contracts';
import { parseActions } from './parse-actions.js';

function apiErrorOf(value: unknown): ApiError {
  try {
    parseActions(value);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('was not rejected');
}

const waits = (count: number, ms: number) =>
  Array.from({ length: count }, () => ({ type: 'wait', ms }));

describe('actions of a scrape', () => {
  it.each([
    [undefined, []],
    [null, []],
    [[], []],
    [[{ type: 'click', selector: '#a' }], [{ type: 'click', selector: '#a' }]],
    [[{ type: 'scroll' }], [{ type: 'scroll', px: 1_000 }]],
    [[{ type: 'scroll', ms: -50, selector: 'p' }], [{ type: 'scroll', selector: 'p', px: -50 }]],
    [[{ type: 'wait', ms: 0 }], [{ type: 'wait', ms: 0 }]],
    [[{ type: 'wait', selector: '#a' }], [{ type: 'wait', selector: '#a', ms: 5_000 }]],
    [[{ type: 'write', text: 'hello' }], [{ type: 'write', text: 'hello' }]],
    [[{ type: 'press', key: 'Enter' }], [{ type: 'press', key: 'Enter' }]],
    [
      [{ type: 'screenshot' }, { type: 'pdf' }],
      [{ type: 'screenshot' }, { type: 'pdf' }],
    ],
    [waits(50, 1_200), waits(50, 1_200)],
  ])('reads %j', (value, actions) => {
    expect(parseActions(value)).toEqual(actions);
  });

  it('reports a script before any other problem', () => {
    const list = [{ type: 'hover' }, { type: 'executeJavascript' }];
    expect(apiErrorOf(list).code).toBe('action_not_available');
  });

  it.each([
    ['not a list', { type: 'wait' }, '`actions` must be an array'],
    ['51 entries', waits(51, 0), '`actions` may hold at most 50 entries'],
    ['more waiting than allowed', waits(50, 1_201), '60050 ms together; at most 60000'],
    ['not an object', ['click'], '`actions[0]` must be an object with a `type`'],
    ['no type', [{}], '`actions[0]` needs `type`'],
    ['an unknown type', [{ type: 'hover' }], '`actions[0]` has an unknown type: known are click,'],
    ['an unknown field', [{ type: 'wait', ms: 1, all: true }], 'unknown field `all`'],
    [
      'a click on nothing',
      [{ type: 'wait', ms: 1 }, { type: 'click' }],
      '`actions[1]` needs `selector`',
    ],
    ['a wait for nothing', [{ type: 'wait' }], '`actions[0]` needs `ms`'],
    ['a wait backwards', [{ type: 'wait', ms: -1 }], '`ms` must be from 0 to 60000'],
    ['a wait too long', [{ type: 'wait', ms: 60_001 }], '`ms` must be from 0 to 60000'],
    ['half a millisecond', [{ type: 'wait', ms: 0.5 }], '`ms` must be a whole number'],
    ['a scroll out of range', [{ type: 'scroll', ms: 100_001 }], 'from -100000 to 100000'],
    ['writing nothing', [{ type: 'write' }], 'needs `text`'],
    ['pressing nothing', [{ type: 'press' }], 'needs `key`'],
    [
      'a selector that is not a text',
      [{ type: 'click', selector: 1 }],
      '`selector` must be a string',
    ],
    [
      'a script of 20,001 characters',
      [{ type: 'executeJavascript', script: 'x'.repeat(20_001) }],
      '`script` is longer than 20000 characters',
    ],
  ])('refuses %s', (_name, value, text) => {
    const apiError = apiErrorOf(value);
    expect(apiError.code).toBe('invalid_request');
    expect(apiError.message).toContain(text);
  });

  it("rejects executeJavascript by the specification's name, at any allowed length", () => {
    const script = 'x'.repeat(20_000);
    const apiError = apiErrorOf([
      { type: 'wait', ms: 1 },
      { type: 'executeJavascript', script },
    ]);
    expect(apiError.code).toBe('action_not_available');
    expect(apiError.row).toMatchObject({ status: 400, text: 'action_not_available' });
  });
});
