import type { PageAction } from '@app/contracts';
import { renderSuite } from '../../test/render-suite.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);

const FORM = `<!doctype html><p>${LONG}</p>
<button style="display:none" class=go>hidden</button><button class=go onclick="out.append('clicked ')">go</button>
<input id=name onkeydown="out.append('key ')"><div id=out></div>
<form action=/next><input id=q name=q></form><a id=away href=/next?linked>away</a>
<a id=nowhere href="http://127.0.0.1:1/">nowhere</a>
<button id=slow onclick="setTimeout(() => out.append('slowly'), 80)">slow</button>
<button id=covered>covered</button><div style="position:fixed;inset:0;display:none" id=cover></div>
<button id=cover-all onclick="cover.style.display='block'">cover</button>
<div id=box style="height:50px;overflow:auto"><div style="height:900px">tall</div></div><div style="height:5000px"></div>`;

describe('actions', () => {
  const suite = renderSuite({
    '/form': FORM,
    '/next': ({ url, response }) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<p>next ${url.search} ${LONG}</p>`);
    },
  });
  const act = (...actions: PageAction[]) => suite.render('/form', { actions });
  const failing = (...actions: PageAction[]) => suite.failure('/form', { actions });

  it('run in order', async () => {
    const page = await act(
      { type: 'click', selector: '.go' },
      { type: 'write', selector: '#name', text: 'ab' },
      { type: 'click', selector: '#slow' },
      { type: 'wait', ms: 50 },
    );
    expect(page.html).toContain('<div id="out">clicked key key slowly</div>');
    expect(page.timings.actionsMs).toBeGreaterThan(0);
  });

  it('may navigate: the page is the one at the end', async () => {
    const targets: string[] = [];
    const page = await suite.render('/form', {
      actions: [
        { type: 'write', selector: '#q', text: 'words' },
        { type: 'press', key: 'Enter' },
      ],
      onRedirect: async (target) => void targets.push(target.href),
    });
    expect(page.url).toBe(suite.site.url('/next?q=words'));
    expect(page.html).toContain('next ?q=words');
    expect(targets).toEqual([page.url]);
  });

  it('end the fetch when the page they lead to is refused', async () => {
    const refusal = new Error('robots say no');
    const rendering = suite.render('/form', {
      actions: [{ type: 'click', selector: '#away' }],
      onRedirect: async () => {
        throw refusal;
      },
    });
    await expect(rendering).rejects.toBe(refusal);
    expect(suite.site.count('/next')).toBe(0);
  });

  it('scroll the page and boxes in it', async () => {
    const page = await act(
      { type: 'scroll', px: 300 },
      { type: 'scroll', selector: '#box', px: 100 },
      { type: 'screenshot' },
    );
    expect(page.actionResults).toHaveLength(1);
    expect(page.actionResults?.[0]).toMatchObject({
      index: 2,
      type: 'screenshot',
      contentType: 'image/png',
    });
  });

  it('make pictures and documents, in order', async () => {
    const page = await act({ type: 'screenshot' }, { type: 'pdf' });
    const starts = page.actionResults?.map(({ base64 }) =>
      Buffer.from(base64, 'base64').subarray(1, 4).toString('latin1'),
    );
    expect(starts).toEqual(['PNG', 'PDF']);
  });

  type Failing = readonly [PageAction, string];
  const expectFailing = async ([action, reason]: Failing): Promise<void> => {
    const failure = await failing({ type: 'wait', ms: 1 }, action, {
      type: 'click',
      selector: '#away',
    });
    expect(failure).toMatchObject({
      errorClass: 'unknown',
      problem: `actions[1] (${action.type}) failed: ${reason}`,
      action: { index: 1, type: action.type, reason },
    });
    expect(suite.site.count('/next')).toBe(0);
  };

  it.each<Failing>([
    [{ type: 'click', selector: 'div[' }, 'not a CSS selector'],
    [{ type: 'press', key: 'Nokey' }, 'there is no such key'],
    [
      { type: 'click', selector: '#nowhere' },
      'it led to an address that is blocked or cannot be reached',
    ],
    [{ type: 'wait', ms: 200, selector: '#none' }, 'no element matched "#none" within 200 ms'],
  ])('name what fails: %j', (action, reason) => expectFailing([action, reason]));

  it('name what did not come up in the time that is given to it', async () => {
    const late: readonly Failing[] = [
      [{ type: 'press', selector: '#none', key: 'Enter' }, 'no element matches "#none"'],
      [{ type: 'scroll', selector: '#none', px: 1 }, 'no element matches "#none"'],
      [{ type: 'click', selector: '#cover' }, 'no element that matches "#cover" is visible'],
    ];
    await Promise.all(late.map(expectFailing));
  });

  it('name an element that cannot be clicked', async () => {
    const failure = await failing(
      { type: 'click', selector: '#cover-all' },
      { type: 'click', selector: '#covered' },
    );
    expect(failure.problem).toContain('it is covered, disabled or moving');
  });

  it('end with the deadline', async () => {
    const startedAt = performance.now();
    const failure = await suite.failure('/form', {
      deadlineMs: 2_500,
      actions: [{ type: 'wait', ms: 60_000 }],
    });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(failure).toMatchObject({
      errorClass: 'timeout',
      problem: 'actions[0] (wait) failed: the time ran out',
    });
  });
});
