import { Deadline } from '@app/contracts';
import { BROWSER_FAILURES } from '@app/fetch';
import { until } from '@app/testing';
import { fetchRequest } from '../../../../libs/fetch/test/fetch-request.js';
import type { BrowserTerms } from './browser-messages.js';
import { BrowserProcess } from './browser-process.js';

const TERMS: BrowserTerms = {
  egress: {
    ...{ fetchAllowPrivate: '', egressDeny: '' },
    ...{ outboundProxies: '', outboundProxyResolvesNames: false },
  },
  pool: null,
  hostedUrl: null,
  runAs: null,
};
/** Interval between two checks of whether the process responds. */
const CHECK_EVERY_MS = 5_000;
const SILENT_MS = 15_000;
/** After its deadline a page may report the end of its time itself for so long. */
const GRACE_MS = 400;
const LOST = { what: 'the end of the process' };

interface Logged {
  readonly text: string;
  readonly fields?: object;
}

describe('a browser process that must end', () => {
  const logged: Logged[] = [];
  let lost = 0;
  let browsers: BrowserProcess;

  function start(entry: string, terms: Partial<BrowserTerms> = {}): BrowserProcess {
    return new BrowserProcess({
      terms: { ...TERMS, ...terms },
      entry: new URL(`file://${__dirname}/../../test/${entry}`),
      events: {},
      onDenied: () => {},
      onLog: (line) => void logged.push(line),
      onLost: () => void lost++,
    });
  }

  beforeEach(() => {
    logged.length = 0;
    lost = 0;
  });
  afterEach(async () => {
    jest.useRealTimers();
    await browsers.close();
  });

  it('ends above its limit of memory, says so, and gets a successor', async () => {
    browsers = start('browser-main.mjs', { maxProcessMiB: 1 });
    const { pid } = browsers;
    await until(() => lost === 1, LOST);
    expect(logged[0]).toMatchObject({
      text: 'the browser process failed',
      fields: { why: expect.stringMatching(/it used \d+ MiB of memory; the limit is 1 MiB/) },
    });
    expect(browsers.pid).not.toBe(pid);
  });

  it('has each page end at its time while it is silent', async () => {
    jest.useFakeTimers();
    browsers = start('silent-browser.mjs');
    const deadline = Deadline.after(1_000);
    const fetched = browsers.fetch('headless', fetchRequest('http://a.example/', { deadline }));
    const isDone = jest.fn();
    void fetched.then(isDone);
    await jest.advanceTimersByTimeAsync(1_000 + GRACE_MS - 1);
    expect(isDone).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(await fetched).toEqual({ ok: false, failure: BROWSER_FAILURES.late });
  });

  it('is killed after 15 seconds of silence, not sooner, and gets a successor', async () => {
    jest.useFakeTimers();
    browsers = start('silent-browser.mjs');
    const { pid } = browsers;
    await jest.advanceTimersByTimeAsync(CHECK_EVERY_MS + SILENT_MS - 1);
    expect([isAlive(pid), lost]).toEqual([true, 0]);
    await jest.advanceTimersByTimeAsync(1);
    jest.useRealTimers();
    await until(() => lost === 1, LOST);
    expect(logged).toMatchObject([{ fields: { why: 'signal SIGKILL' } }]);
    expect(browsers.pid).not.toBe(pid);
  });
});

function isAlive(pid = 0): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
