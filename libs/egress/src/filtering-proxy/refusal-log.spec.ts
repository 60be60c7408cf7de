import { MAX_KEPT_REFUSALS, RefusalLog } from './proxy-session.js';

const document = 'http://10.0.0.1/';

describe('RefusalLog', () => {
  it('finds an error after others, and each by its own kind', () => {
    const log = new RefusalLog();
    log.add({ kind: 'blocked', target: document });
    log.add({ kind: 'network', target: `${document}favicon.ico` });
    expect(log.kindOf(document)).toBe('blocked');
    expect(log.kindOf(`${document}favicon.ico`)).toBe('network');
    expect(log.kindOf('http://10.0.0.2/')).toBeNull();
    expect(log.last).toEqual({ kind: 'network', target: `${document}favicon.ico` });
  });

  it('keeps the latest only, however many there are', () => {
    const log = new RefusalLog();
    log.add({ kind: 'blocked', target: document });
    for (let n = 1; n < MAX_KEPT_REFUSALS; n++) log.add({ kind: 'blocked', target: `a:${n}` });
    expect(log.kindOf(document)).toBe('blocked');
    log.add({ kind: 'blocked', target: 'one:80' });
    expect(log.kindOf(document)).toBeNull();
    expect(log.kindOf('a:1')).toBe('blocked');
  });

  it('counts a target refused again as the latest', () => {
    const log = new RefusalLog();
    log.add({ kind: 'network', target: document });
    for (let n = 1; n < MAX_KEPT_REFUSALS; n++) log.add({ kind: 'blocked', target: `a:${n}` });
    log.add({ kind: 'blocked', target: document });
    log.add({ kind: 'blocked', target: 'one:80' });
    expect(log.kindOf(document)).toBe('blocked');
    expect(log.kindOf('a:1')).toBeNull();
  });

  it('finds a target by as much of it as is kept', () => {
    const log = new RefusalLog();
    const long = `${document}${'x'.repeat(3_000)}`;
    log.add({ kind: 'timeout', target: long });
    expect(log.kindOf(long)).toBe('timeout');
    expect(log.last?.target).toHaveLength(2_048);
  });

  it('is empty after it is cleared', () => {
    const log = new RefusalLog();
    log.add({ kind: 'blocked', target: document });
    log.clear();
    expect([log.last, log.kindOf(document)]).toEqual([null, null]);
  });
});
