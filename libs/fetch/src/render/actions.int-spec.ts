import { Deadline, type PageAction, type PageShot } from '@app/contracts';
import type { RenderRequest } from '../fetch-rung.js';
import { renderSuite } from '../../test/render-suite.js';
import { casesOf } from '../../../../test/setup/full-run.js';
import { imageSize } from './screenshot.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);

const FORM = `<!doctype html><p>${LONG}</p>
<button style="display:none" class=go>hidden</button><button class=go onclick="out.append('clicked ')">go</button>
<input id=name onkeydown="out.append('key ')"><div id=out></div>
<form action=/next><input id=q name=q></form><a id=away href=/next?linked>away</a>
<a id=nowhere href="http://127.0.0.1:1/">nowhere</a>
<button id=slow onclick="setTimeout(() => out.append('slowly'), 80)">slow</button>
<button id=ping onclick="fetch('/ping')">ping</button>
<button id=covered>covered</button><div style="position:fixed;inset:0;display:none" id=cover></div>
<button id=cover-all onclick="cover.style.display='block'">cover</button>
<div id=box style="height:50px;overflow:auto"><div style="height:900px">tall</div></div><div style="height:5000px"></div>`;

const FIELDS = `<!doctype html><p>${LONG}</p><output id=log></output>
<div id=text-div>text</div><div id=tab-div tabindex=0>text</div><button id=button>b</button>
<input id=box type=checkbox><select id=pick><option>x<option>y</select>
<input id=read-only readonly><input id=off disabled><iframe id=empty-frame srcdoc="<input>"></iframe>
<input id=plain><textarea id=area></textarea><div id=rich contenteditable>text</div><div id=host></div>
<label id=label>label <input id=labelled></label>
<iframe id=framed style="height:60px" srcdoc="<input style='width:90%;height:50px' oninput='parent.note(&quot;framed&quot;)'>"></iframe>
<script>
const seen = new Set();
function note(name) { if (!seen.has(name)) { seen.add(name); log.append(name + ' '); } }
host.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<input>';
for (const one of [plain, area, rich, host, labelled]) one.addEventListener('input', () => note(one.id));
</script>`;

/** For elements that are there: a busy machine may take longer to find them than is usual. */
const PATIENT = { elementWaitMs: 60_000 };

describe('actions', () => {
  let pings = 0;
  const suite = renderSuite({
    '/form': FORM,
    '/fields': FIELDS,
    '/next': ({ url, response }) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<p>next ${url.search} ${LONG}</p>`);
    },
    '/ping': ({ response }) => {
      pings++;
      response.end();
    },
  });
  const act = (...actions: PageAction[]) => suite.render('/form', { actions, render: PATIENT });
  const failing = (actions: readonly PageAction[], render: Partial<RenderRequest> = {}) =>
    suite.failure('/form', { actions, render: { ...PATIENT, ...render } });

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
      render: PATIENT,
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
      render: PATIENT,
      onRedirect: async () => {
        throw refusal;
      },
    });
    await expect(rendering).rejects.toBe(refusal);
    expect(suite.site.count('/next')).toBe(0);
  });

  it.each<[PageShot, object]>([
    [
      { fullPage: false, format: 'png' },
      { contentType: 'image/png', widthPx: 1_280, heightPx: 800 },
    ],
    [
      { fullPage: true, format: 'jpeg', quality: 1 },
      { contentType: 'image/jpeg', widthPx: 1_280 },
    ],
    [
      { fullPage: false, format: 'png', viewport: { widthPx: 320, heightPx: 200 } },
      { widthPx: 320, heightPx: 200 },
    ],
  ])('picture the page as requested, and leave its viewport: %j', async (shot, expected) => {
    const { actionResults = [] } = await act(
      { type: 'screenshot', shot },
      { type: 'screenshot', shot: { fullPage: false, format: 'png' } },
    );
    const pictures = actionResults.map(({ contentType, base64 }) => ({
      contentType,
      ...imageSize(Buffer.from(base64, 'base64')),
    }));
    expect(pictures).toMatchObject([expected, { widthPx: 1_280, heightPx: 800 }]);
    const isWhole = (pictures[0]?.heightPx ?? 0) > 5_000;
    expect(isWhole).toBe(shot.fullPage);
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

  it('leave the page where it was scrolled to after a picture of the whole of it', async () => {
    const shots = [{ fullPage: false }, { fullPage: true }, { fullPage: false }];
    const { actionResults = [] } = await act(
      { type: 'scroll', px: 300 },
      ...shots.map((one) => ({ type: 'screenshot', shot: { ...one, format: 'png' } }) as const),
    );
    const [before, whole, after] = actionResults.map(({ base64 }) => base64);
    expect(after).toBe(before);
    expect(whole).not.toBe(before);
  });

  it('make pictures and documents, in order', async () => {
    const page = await act({ type: 'screenshot' }, { type: 'pdf' });
    const starts = page.actionResults?.map(({ base64 }) =>
      Buffer.from(base64, 'base64').subarray(1, 4).toString('latin1'),
    );
    expect(starts).toEqual(['PNG', 'PDF']);
  });

  type Failing = readonly [PageAction, string];
  const expectFailing = async (
    [action, reason]: Failing,
    render: Partial<RenderRequest> = {},
  ): Promise<void> => {
    const next: PageAction = { type: 'click', selector: '#away' };
    const failure = await failing([{ type: 'wait', ms: 1 }, action, next], render);
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

  const takesNoText = (selector: string): string =>
    `the element "${selector}" takes no text: it is not a text field, or it is read-only or disabled`;
  const fields = async (reason: string, ...actions: PageAction[]): Promise<void> => {
    const failure = await suite.failure('/fields', { actions, render: PATIENT });
    const index = actions.length - 1;
    const problem = `actions[${index}] (write) failed: ${reason}`;
    expect(failure).toMatchObject({ problem, action: { index, type: 'write', reason } });
  };

  // At the same time: each waits for its element.
  it('name what did not come up in the time that is given to it', async () => {
    const render = { elementWaitMs: 3_000 };
    const late: readonly Failing[] = [
      [{ type: 'write', selector: '#none', text: 'x' }, 'no element matches "#none"'],
      [{ type: 'press', selector: '#none', key: 'Enter' }, 'no element matches "#none"'],
      [{ type: 'scroll', selector: '#none', px: 1 }, 'no element matches "#none"'],
      [{ type: 'click', selector: '#cover' }, 'no element that matches "#cover" is visible'],
    ];
    const click = [
      { type: 'click', selector: '#cover-all' },
      { type: 'click', selector: '#covered' },
    ] as const;
    const [covered] = await Promise.all([
      failing(click, render),
      ...late.map((one) => expectFailing(one, render)),
    ]);
    expect(covered.problem).toContain('it is covered, disabled or moving');
  });

  it.each(
    casesOf(['#text-div', '#box', '#read-only', '#empty-frame'], {
      full: ['#tab-div', '#button', '#pick', '#off'],
    }),
  )('name a write into %s, which takes no text', (selector) =>
    fields(takesNoText(selector), { type: 'write', selector, text: 'x' }),
  );

  it('do not write into the field before when the one that is named takes no text', () =>
    fields(
      takesNoText('#text-div'),
      { type: 'write', selector: '#plain', text: 'first' },
      { type: 'write', selector: '#text-div', text: 'x' },
    ));

  it('name a write that no field has the focus for', async () => {
    const reason = 'no text field has the focus: give a `selector`, or click a field first';
    await fields(reason, { type: 'write', text: 'x' });
    await fields(reason, { type: 'click', selector: '#button' }, { type: 'write', text: 'x' });
    const framed = [
      { type: 'click', selector: '#framed' },
      { type: 'write', text: 'x' },
    ] as const;
    await fields(reason, ...framed, { type: 'click', selector: '#button' }, framed[1]);
  });

  it('write into fields of every kind, by name or by focus', async () => {
    const { html } = await suite.render('/fields', {
      render: PATIENT,
      actions: [
        { type: 'write', selector: '#plain', text: 'a' },
        { type: 'write', selector: '#area', text: 'b' },
        { type: 'write', selector: '#rich', text: 'c' },
        { type: 'write', selector: '#host', text: 'd' },
        { type: 'click', selector: '#label' },
        { type: 'write', text: 'e' },
        { type: 'click', selector: '#framed' },
        { type: 'write', text: 'f' },
      ],
    });
    expect(html).toContain('<output id="log">plain area rich host labelled framed </output>');
  });

  it('end with the deadline', async () => {
    // However long the page takes to load, the wait comes a few seconds before the end.
    const before = pings;
    const deadline = Deadline.at(60_000, () => (pings > before ? 56_500 : 0));
    const startedAt = performance.now();
    const failure = await suite.failure('/form', {
      deadline,
      render: PATIENT,
      actions: [
        { type: 'click', selector: '#ping' },
        { type: 'wait', ms: 60_000 },
      ],
    });
    expect(performance.now() - startedAt).toBeLessThan(45_000);
    expect(failure).toMatchObject({
      errorClass: 'timeout',
      problem: 'actions[1] (wait) failed: the time ran out',
    });
  });
});
