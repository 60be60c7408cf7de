import {
  Deadline,
  DEFAULT_FETCH_OPTIONS,
  type ErrorClass,
  type FetchOptions,
} from '@app/contracts';
import { runCascade, type AssessedPage, type CascadeOptions, type Shortcoming } from './cascade.js';
import {
  PLAIN_RENDER,
  type FetchedPage,
  type FetchRung,
  type RenderRequest,
  type RungResult,
} from './fetch-rung.js';
import { lackOfBrowser, MISSING_BROWSER } from './rungs/headless.rung.js';
import { Spend } from './spend.js';

const PAGE: FetchedPage = {
  url: 'http://a.example/',
  statusCode: 200,
  contentType: 'text/html',
  headers: {},
  body: new Uint8Array(),
  bytes: 0,
  isCut: false,
  redirects: [],
  timings: {},
  isRendered: false,
};
const OK: RungResult = { ok: true, page: PAGE };
const NOT_MODIFIED: RungResult = { ok: true, notModified: true };

function failing(errorClass: ErrorClass, more: object = {}): RungResult {
  const failure = {
    errorClass,
    problem: errorClass,
    statusCode: null,
    retryAfterMs: null,
    ...more,
  };
  return { ok: false, failure };
}

/** A page the assessment finds wanting. */
const short = (shortcoming: Shortcoming, statusCode = 200): RungResult => ({
  ok: true,
  page: { ...PAGE, statusCode, headers: { shortcoming } },
});

const KINDS = {
  unblock: { rung: 'unblock', fetchMethod: 'fetch', network: 'ours', runsScripts: false },
  plain: { rung: 'plain', fetchMethod: 'plain', network: 'ours', runsScripts: false },
  headless: { rung: 'headless', fetchMethod: 'headless', network: 'ours', runsScripts: true },
  stealth: {
    rung: 'headless',
    fetchMethod: 'stealth',
    network: 'ours',
    runsScripts: true,
    onlyAfterBlocked: true,
  },
  crawler: {
    rung: 'hosted_crawler',
    fetchMethod: 'hosted_crawler',
    network: 'another',
    runsScripts: true,
  },
  browser: {
    rung: 'hosted_browser',
    fetchMethod: 'hosted_browser',
    network: 'another',
    runsScripts: true,
  },
} as const;
type Kind = keyof typeof KINDS;

interface Played extends FetchRung {
  readonly sharesMs: number[];
}

function rung(kind: Kind, result: RungResult, costMicroUsd = 0): Played {
  const sharesMs: number[] = [];
  return {
    ...KINDS[kind],
    costMicroUsd,
    sharesMs,
    fetch: ({ deadline }) => {
      sharesMs.push(deadline.remainingMs());
      return Promise.resolve(result);
    },
  };
}

function assess(page: FetchedPage): Promise<AssessedPage<string>> {
  const shortcoming = (page.headers['shortcoming'] as Shortcoming | undefined) ?? null;
  return Promise.resolve({ content: 'content', shortcoming, signals: shortcoming ? ['sign'] : [] });
}

interface Play {
  readonly options?: Partial<FetchOptions>;
  readonly ceiling?: number;
  readonly deadline?: Deadline;
  readonly cascade?: Partial<CascadeOptions<string>>;
  readonly render?: RenderRequest;
}

function run(rungs: readonly FetchRung[], play: Play = {}) {
  return runCascade<string>({
    rungs,
    assess,
    request: {
      url: new URL(PAGE.url),
      deadline: play.deadline ?? Deadline.after(60_000),
      maxBytes: 1,
      options: { ...DEFAULT_FETCH_OPTIONS, ...play.options },
      onRetryAfter: 'report',
      render: play.render ?? PLAIN_RENDER,
      spend: new Spend(play.ceiling ?? null),
    },
    ...play.cascade,
  });
}

const pathOf = (outcome: Awaited<ReturnType<typeof run>>): string =>
  outcome.report.attempts
    .map(({ rung: name, errorClass }) => `${name}:${errorClass ?? 'ok'}`)
    .join(' ');

describe('the rungs that are tried', () => {
  it.each<[string, readonly [Kind, RungResult][], string]>([
    [
      'the first complete page ends it',
      [
        ['plain', OK],
        ['headless', OK],
      ],
      'plain:ok',
    ],
    [
      'a shell goes to the browser',
      [
        ['plain', short('js_shell')],
        ['headless', OK],
      ],
      'plain:js_shell headless:ok',
    ],
    [
      'a shell is not fetched again without scripts',
      [
        ['unblock', short('js_shell')],
        ['plain', OK],
        ['headless', OK],
      ],
      'unblock:js_shell headless:ok',
    ],
    [
      'an empty page goes to the browser, and no further once rendered',
      [
        ['plain', short('empty')],
        ['headless', short('empty')],
        ['crawler', OK],
      ],
      'plain:empty headless:empty',
    ],
    [
      'a bot wall goes all the way up, with a second try of the browser in stealth',
      [
        ['unblock', failing('blocked')],
        ['plain', short('blocked', 403)],
        ['headless', short('blocked', 403)],
        ['stealth', short('blocked', 403)],
        ['crawler', failing('provider_error')],
        ['browser', OK],
      ],
      'unblock:blocked plain:blocked headless:blocked headless:blocked hosted_crawler:provider_error hosted_browser:ok',
    ],
    [
      'stealth is for walls only',
      [
        ['plain', short('js_shell')],
        ['headless', failing('unknown')],
        ['stealth', OK],
      ],
      'plain:js_shell headless:unknown',
    ],
    [
      'a page that is not there is not there for anyone',
      [
        ['plain', short('http_error', 404)],
        ['headless', OK],
        ['crawler', OK],
      ],
      'plain:http_error',
    ],
    [
      'a 403 without a wall may be meant for robots',
      [
        ['plain', short('http_error', 403)],
        ['headless', OK],
      ],
      'plain:http_error headless:ok',
    ],
    [
      'nor may the browser of one',
      [
        ['plain', short('http_error', 403)],
        ['headless', short('http_error', 403)],
        ['stealth', OK],
      ],
      'plain:http_error headless:http_error headless:ok',
    ],
    [
      'an overloaded site is asked from another network, not harder',
      [
        ['plain', short('http_error', 429)],
        ['headless', OK],
        ['crawler', OK],
      ],
      'plain:http_error hosted_crawler:ok',
    ],
    [
      'a dead host is not dialled by a browser too',
      [
        ['plain', failing('network')],
        ['headless', OK],
        ['browser', OK],
      ],
      'plain:network hosted_browser:ok',
    ],
    [
      'a slow site gets no second client',
      [
        ['plain', failing('timeout')],
        ['headless', OK],
      ],
      'plain:timeout',
    ],
    [
      'whatever stops the unblocker, plain is tried',
      [
        ['unblock', failing('network')],
        ['plain', OK],
      ],
      'unblock:network plain:ok',
    ],
    [
      'an action that failed is the end',
      [
        ['headless', failing('unknown', { action: { index: 0, type: 'click', reason: 'no' } })],
        ['browser', OK],
      ],
      'headless:unknown',
    ],
  ])('%s', async (_name, plays, path) => {
    expect(pathOf(await run(plays.map(([kind, result]) => rung(kind, result))))).toBe(path);
  });

  it.each<[string, Partial<FetchOptions>, string]>([
    [
      'forceHeadless',
      { forceHeadless: true },
      'headless:unknown hosted_crawler:unknown hosted_browser:ok',
    ],
    ['waitFor', { waitForMs: 1 }, 'headless:unknown hosted_crawler:unknown hosted_browser:ok'],
    ['scroll', { scroll: true }, 'headless:unknown hosted_crawler:unknown hosted_browser:ok'],
    ['actions', { actions: [{ type: 'pdf' }] }, 'headless:unknown hosted_browser:ok'],
  ])('%s leaves out the rungs that cannot do it', async (_name, options, path) => {
    const rungs = [
      rung('unblock', OK),
      rung('plain', OK),
      rung('headless', failing('unknown')),
      rung('crawler', failing('unknown')),
      rung('browser', OK),
    ];
    expect(pathOf(await run(rungs, { options }))).toBe(path);
  });

  it.each<[Partial<FetchOptions>, string]>([
    [{ preferMarkdown: true }, 'plain:blocked unblock:ok'],
    [{ preferMarkdown: true, waitForMs: 1 }, 'headless:ok'],
  ])(
    'Markdown is requested by the plain rung, before those that request HTML: %j',
    async (options, path) => {
      const rungs = [rung('unblock', OK), rung('plain', short('blocked')), rung('headless', OK)];
      expect(pathOf(await run(rungs, { options }))).toBe(path);
    },
  );

  it('fails with a named error when no configured rung can do it', async () => {
    const outcome = await run([rung('plain', OK)], { options: { forceHeadless: true } });
    expect(outcome).toMatchObject({ kind: 'failed', report: { level: null, attempts: [] } });
  });

  it('does not escalate after the deadline', async () => {
    const outcome = await run([rung('plain', short('js_shell')), rung('headless', OK)], {
      deadline: Deadline.after(0),
    });
    expect(pathOf(outcome)).toBe('plain:js_shell');
  });

  it('does not escalate after the caller disconnected', async () => {
    const left = new AbortController();
    const plain: FetchRung = {
      ...rung('plain', OK),
      fetch: () => {
        left.abort();
        return Promise.resolve(short('js_shell'));
      },
    };
    const request = { signal: left.signal };
    const outcome = await runCascade<string>({
      rungs: [plain, rung('headless', OK)],
      assess,
      request: {
        ...request,
        url: new URL(PAGE.url),
        deadline: Deadline.after(60_000),
        maxBytes: 1,
        options: DEFAULT_FETCH_OPTIONS,
        onRetryAfter: 'report',
        render: PLAIN_RENDER,
        spend: new Spend(null),
      },
    });
    expect(pathOf(outcome)).toBe('plain:js_shell');
  });
});

describe('the report', () => {
  it('names the level, the method and no fallback when the first rung served', async () => {
    expect(await run([rung('plain', OK)])).toMatchObject({
      kind: 'served',
      fetchMethod: 'plain',
      partialReason: null,
      fallback: null,
      report: { level: 1, attempts: [{ rung: 'plain', level: 1, ok: true, errorClass: null }] },
    });
  });

  it('reports a fallback when a later rung brought complete content', async () => {
    expect(await run([rung('plain', short('js_shell')), rung('headless', OK)])).toMatchObject({
      fallback: { from: 'plain', to: 'headless' },
      partialReason: null,
      report: { level: 2 },
    });
  });

  it('reports a partial, and never a fallback with it, when no rung did better', async () => {
    const rungs = [rung('plain', short('js_shell')), rung('headless', failing('timeout'))];
    expect(await run(rungs)).toMatchObject({
      kind: 'served',
      partialReason: 'js_shell',
      fallback: null,
      signals: ['sign'],
      report: { level: 1, attempts: [{ ok: false }, { ok: false, errorClass: 'timeout' }] },
    });
  });

  it('names the browser that is missing beside a shell, and in the attempts', async () => {
    const outcome = await run([rung('plain', short('js_shell')), MISSING_BROWSER]);
    expect(pathOf(outcome)).toBe('plain:js_shell headless:unknown');
    expect(outcome).toMatchObject({
      kind: 'served',
      partialReason: 'js_shell',
      signals: ['sign', 'browser_unavailable'],
    });
  });

  it('names it alone where nothing can be served without it', async () => {
    const outcome = await run([rung('plain', OK), MISSING_BROWSER], {
      options: { forceHeadless: true },
    });
    expect(lackOfBrowser(outcome.kind === 'failed' ? outcome.signals : [])).toEqual({
      kind: 'unavailable',
      isPermanent: true,
    });
  });

  it('presents an earlier page rather than one that could not be converted', async () => {
    const rungs = [rung('plain', short('js_shell')), rung('headless', short('timeout'))];
    const assessed: CascadeOptions<string | null>['assess'] = async (page) => {
      const assessment = await assess(page);
      return assessment.shortcoming === 'timeout' ? { ...assessment, content: null } : assessment;
    };
    const outcome = await run(rungs, {
      cascade: { assess: assessed as CascadeOptions<string>['assess'] },
    });
    expect(outcome).toMatchObject({
      kind: 'served',
      content: 'content',
      partialReason: 'js_shell',
      report: { level: 1 },
    });
  });

  it('calls a second try of the same rung no fallback', async () => {
    const rungs = [rung('headless', short('blocked')), rung('stealth', OK)];
    expect(await run(rungs, { options: { forceHeadless: true } })).toMatchObject({
      fetchMethod: 'stealth',
      fallback: null,
    });
  });

  it.each<[Shortcoming, string]>([
    ['blocked', 'bot wall instead of the page (sign)'],
    ['http_error', 'HTTP 418'],
  ])('a page that is %s is not the page', async (shortcoming, text) => {
    const outcome = await run([rung('plain', short(shortcoming, 418))]);
    expect(outcome).toMatchObject({ kind: 'failed', errorClass: shortcoming, statusCode: 418 });
    expect(outcome).toHaveProperty('problem', expect.stringContaining(text));
  });

  it('passes on when the site wants to be requested again', async () => {
    const page = {
      ...PAGE,
      statusCode: 429,
      headers: { shortcoming: 'http_error', 'retry-after': '7' },
    };
    expect(await run([rung('plain', { ok: true, page })])).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('reports the error of the site rather than our own later failure', async () => {
    const rungs = [rung('plain', short('http_error', 403)), rung('headless', failing('unknown'))];
    expect(await run(rungs)).toMatchObject({
      kind: 'failed',
      errorClass: 'http_error',
      statusCode: 403,
    });
  });

  it('collects the attempts of the unblock providers', async () => {
    const unblock = [
      {
        provider: 'p',
        ok: false,
        latencyMs: 1,
        errorClass: 'blocked',
        outcome: 'blocked',
        costClass: 'free',
      },
    ] as const;
    const result = { ...failing('blocked'), unblock };
    expect((await run([rung('unblock', result), rung('plain', OK)])).report).toMatchObject({
      unblock,
    });
  });

  it('a copy that still holds ends the cascade', async () => {
    const outcome = await run([rung('plain', NOT_MODIFIED), rung('headless', OK)]);
    expect(outcome).toMatchObject({ kind: 'not_modified', report: { level: 1 } });
  });
});

describe('the cost ceiling', () => {
  const paid = () => [
    rung('plain', short('blocked')),
    rung('crawler', failing('provider_error'), 600),
    rung('browser', OK, 400),
  ];

  it.each([
    [1_000, 'plain:blocked hosted_crawler:provider_error hosted_browser:ok'],
    [999, 'plain:blocked hosted_crawler:provider_error hosted_browser:cost_ceiling'],
    [599, 'plain:blocked hosted_crawler:cost_ceiling hosted_browser:ok'],
    [0, 'plain:blocked hosted_crawler:cost_ceiling hosted_browser:cost_ceiling'],
  ])('a ceiling of %d micro-dollars is reached and never passed', async (ceiling, path) => {
    expect(pathOf(await run(paid(), { ceiling }))).toBe(path);
  });

  it('does not call a rung it cannot pay', async () => {
    const [plain, crawler] = paid();
    await run(
      [plain, crawler].filter((one) => one !== undefined),
      { ceiling: 1 },
    );
    expect(crawler?.sharesMs).toEqual([]);
  });
});

describe('how the time is shared', () => {
  const frozen = () => Deadline.at(10_000, () => 0);

  it('leaves the later rungs their part, and the last one all', async () => {
    const rungs = [
      rung('plain', short('blocked')),
      rung('crawler', short('blocked')),
      rung('browser', short('blocked')),
    ];
    await run(rungs, { deadline: frozen() });
    expect(rungs.map(({ sharesMs }) => sharesMs[0])).toEqual([3_600, 4_500, 9_000]);
  });

  it.each([['plain', 'headless'] as const, ['headless', 'stealth'] as const])(
    'gives %s the whole where %s would not be tried after its timeout',
    async (first, second) => {
      const slow = [rung(first, failing('timeout')), rung(second, OK)];
      await run(slow, { deadline: frozen() });
      expect(slow.map(({ sharesMs }) => sharesMs)).toEqual([[9_000], []]);
      const walled = [rung(first, short('blocked')), rung(second, OK)];
      await run(walled, { deadline: frozen() });
      expect(walled.map(({ sharesMs }) => sharesMs)).toEqual([[9_000], [9_000]]);
    },
  );

  it('keeps time for a rung that a timeout leads to', async () => {
    const remembered = { rung: 'headless', errorClass: 'js_shell', ageMs: 5 } as const;
    const rungs = [rung('plain', OK), rung('headless', failing('timeout'))];
    await run(rungs, { deadline: frozen(), cascade: { remembered } });
    expect(rungs.map(({ sharesMs }) => sharesMs[0])).toEqual([9_000, 3_857.4]);
  });

  it.each<[string, Partial<FetchOptions>, number]>([
    ['after load', { waitForMs: 8_000 }, 8_100],
    [
      'as actions',
      {
        actions: [
          { type: 'wait', ms: 5_000 },
          { type: 'wait', ms: 3_000 },
        ],
      },
      8_100,
    ],
    ['longer than there is time', { waitForMs: 60_000 }, 9_000],
    [
      'for a selector, which is a bound',
      { actions: [{ type: 'wait', ms: 8_000, selector: 'p' }] },
      4_500,
    ],
  ])(
    'shares out no time that the caller has the page wait: %s',
    async (_name, options, shareMs) => {
      const rungs = [rung('headless', short('blocked')), rung('browser', OK)];
      await run(rungs, { deadline: frozen(), options });
      expect(rungs[0]?.sharesMs).toEqual([shareMs]);
    },
  );

  it('returns a single rung all the time, less that of conversion', async () => {
    const only = rung('plain', OK);
    await run([only], { deadline: frozen() });
    expect(only.sharesMs).toEqual([9_000]);
  });
});

describe('the memory of a host', () => {
  const remembered = { rung: 'headless', errorClass: 'js_shell', ageMs: 5 } as const;

  it('begins with the rung that worked and reports it', async () => {
    const outcome = await run([rung('plain', OK), rung('headless', OK)], {
      cascade: { remembered },
    });
    expect(pathOf(outcome)).toBe('headless:ok');
    expect(outcome.report.remembered).toEqual(remembered);
  });

  it.each<[ErrorClass, string]>([
    ['unknown', 'headless:unknown plain:ok'],
    ['timeout', 'headless:timeout plain:ok'],
  ])('comes back to the rungs below when that one fails with %s', async (errorClass, path) => {
    const rungs = [rung('plain', OK), rung('headless', failing(errorClass))];
    expect(pathOf(await run(rungs, { cascade: { remembered } }))).toBe(path);
  });

  it('reports no memory that changed nothing', async () => {
    const outcome = await run([rung('plain', OK)], { cascade: { remembered } });
    expect(pathOf(outcome)).toBe('plain:ok');
    expect(outcome.report.remembered).toBeUndefined();
  });
});

describe('a page that was rendered without third parties', () => {
  /** Complete with what it needs of them. */
  const needy = (shortcoming: Shortcoming, refusedThirdParties = 2): Played => {
    const sharesMs: number[] = [];
    return {
      ...KINDS.headless,
      costMicroUsd: 0,
      sharesMs,
      fetch: async ({ render, deadline }) => {
        sharesMs.push(deadline.remainingMs());
        if (!render.refusesThirdParties) return OK;
        return {
          ok: true,
          page: { ...PAGE, headers: { shortcoming }, refusedThirdParties },
        };
      },
    };
  };
  const play = async (headless: Played) => {
    let needed = 0;
    const render = { ...PLAIN_RENDER, refusesThirdParties: true };
    const outcome = await run([headless], {
      cascade: { onThirdPartiesNeeded: () => needed++ },
      render,
    });
    return { outcome, needed, tries: headless.sharesMs.length };
  };

  it.each(['js_shell', 'empty'] as const)(
    'is rendered once more with them where it is %s',
    async (shortcoming) => {
      const { outcome, needed, tries } = await play(needy(shortcoming));
      expect(outcome).toMatchObject({ kind: 'served', partialReason: null });
      expect(outcome.report.attempts.map(({ errorClass }) => errorClass)).toEqual([
        shortcoming,
        null,
      ]);
      expect([needed, tries]).toEqual([1, 2]);
    },
  );

  it('is not where none was refused, or another fault is its own', async () => {
    expect(await play(needy('empty', 0))).toMatchObject({ needed: 0, tries: 1 });
    expect(await play(needy('blocked'))).toMatchObject({ needed: 0, tries: 1 });
  });
});
