import type { ScreenshotOptions } from '@app/contracts';
import { renderSuite } from '../../test/render-suite.js';
import { casesOf } from '../../../../test/setup/full-run.js';
import { imageSize } from './screenshot.js';

const LONG = 'words of the article that the reader came for, and more of them. '.repeat(20);
const article = `<main><article><h1>Title</h1><p>${LONG}</p></article></main>`;
const fixed = 'position:fixed;z-index:999;background:#fff';
const accept = '<button>Accept all</button>';

/** An element of each consent manager that is known by its name. */
const CONSENT_MANAGERS = [
  ...['id="onetrust-consent-sdk"', 'id="CybotCookiebotDialog"', 'id="didomi-host"'],
  ...['class="qc-cmp2-container"', 'class="truste_overlay"', 'id="usercentrics-root"'],
  ...[
    'class="osano-cm-window"',
    'class="klaro"',
    'id="iubenda-cs-banner"',
    'class="cky-consent-container"',
  ],
  ...['id="cmplz-cookiebanner-container"', 'id="BorlabsCookieBox"', 'class="fc-consent-root"'],
  'id="sp_message_container_12"',
];
/** Known by their looks. */
const REMOVED: readonly (readonly [string, string])[] = [
  [
    'an own bar below',
    `<div style="${fixed};bottom:0;left:0;right:0">GONE We use cookies. ${accept}</div>`,
  ],
  [
    'an own bar above',
    `<div style="${fixed};top:0;width:100%">GONE Diese Seite nutzt Cookies <a href=#>Akzeptieren</a></div>`,
  ],
  [
    'a consent dialog',
    `<div role=dialog style="${fixed};inset:20%">GONE your privacy <button>Reject</button></div>`,
  ],
  [
    'a newsletter dialog',
    `<div style="${fixed};inset:15%">GONE Subscribe to our newsletter <button>No thanks</button></div>`,
  ],
  [
    'a modal box without a way out',
    `<div role=dialog aria-modal=true style="${fixed};inset:20%"><h2>GONE</h2><p>Ten percent off your first order.</p></div>`,
  ],
  [
    'a dark sheet',
    `<div class=GONE style="position:fixed;z-index:99;inset:0;background:rgba(0,0,0,.5)"></div>`,
  ],
];
const KEPT: readonly (readonly [string, string])[] = [
  [
    'a header with a privacy link',
    `<header style="${fixed};top:0;width:100%">KEPT <a href=#>Cookie settings</a></header>`,
  ],
  [
    'a fixed menu',
    `<div style="${fixed};top:0;bottom:0;width:200px"><nav>KEPT cookies <a href=#>Close</a></nav></div>`,
  ],
  ['a chat button', `<div style="${fixed};bottom:9px;right:9px">KEPT Chat</div>`],
  [
    'an article in a modal box',
    `<div role=dialog aria-modal=true style="${fixed};inset:20%"><article>KEPT</article></div>`,
  ],
  ['an article about cookies', `<section>KEPT cookie consent ${accept}</section>`],
  [
    'a video behind the page',
    '<div style="position:fixed;inset:0;z-index:10">KEPT<video></video></div>',
  ],
];

const shot: ScreenshotOptions = {
  fullPage: true,
  widthPx: 800,
  mobile: false,
  element: null,
  format: 'png',
};

/** Coloured boxes below the first screen, which fade in when they come into view, and an image that loads then. */
const revealed = (isShown: boolean): string => `<style>body { margin: 0 }
  div { height: 900px; opacity: ${isShown ? 1 : 0}; transition: opacity 30s } .seen { opacity: 1 }
  @keyframes turning { to { transform: rotate(1turn) } } i { display: block; width: 9px; height: 9px; animation: turning 1s infinite }</style>
  <i></i>${['#0a0', '#00c', '#ca0'].map((colour) => `<div style="background: ${colour}"></div>`).join('')}<script>
  const observer = new IntersectionObserver((all) => { for (const one of all) if (one.isIntersecting) one.target.className = 'seen' });
  document.querySelectorAll('div').forEach((one) => observer.observe(one))</script>`;

describe('the looks of a page', () => {
  const suite = renderSuite({
    '/consent-managers': `${article}${CONSENT_MANAGERS.map((mark) => `<div ${mark}>GONE</div>`).join('')}`,
    ...Object.fromEntries(
      [...REMOVED, ...KEPT].map(([name, html]) => [
        `/${name.replaceAll(' ', '-')}`,
        `${article}${html}`,
      ]),
    ),
    '/app': `<body style="overflow:hidden"><div id=root style="position:fixed;inset:0;overflow:auto;z-index:50"><h1>KEPT cookie shop</h1><p>${LONG}</p>${accept}</div>`,
    '/locked': `<html style="overflow:hidden"><body style="position:fixed">${article}<div id=onetrust-consent-sdk></div>`,
    '/tall': `<body style="margin:0"><div style="height:3000px;width:100%">${LONG}</div><div id=part style="width:120px;height:45px">part</div><b class=none style="display:block;height:0"></b>`,
    '/taller': `<body style="margin:0"><div style="height:40000px">${LONG}</div>`,
    '/lazy': `<p>${LONG}</p><div style="height:6000px"></div><div id=end></div><script>
      new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) fetch('/more').then((r) => r.text()).then((t) => end.append(t)); }).observe(end)</script>`,
    '/more': ({ response }) => void setTimeout(() => response.end('LAZY'), 200),
    '/reveal': revealed(false),
    '/revealed': revealed(true),
    '/endless': `<p>${LONG}</p><div id=list></div><script>
      const grow = () => { const d = document.createElement('div'); d.style.height = '1500px'; d.textContent = 'item'; list.append(d); };
      grow(); addEventListener('scroll', () => { if (scrollY + innerHeight > document.documentElement.scrollHeight - 400) grow(); })</script>`,
    '/inner-scroll': `<body style="margin:0;overflow:hidden;height:100vh"><div style="height:100vh;overflow:auto" onscroll="if (this.scrollTop > 2000) out.textContent = 'REACHED'"><div style="height:4000px">${LONG}</div><p id=out></p></div>`,
    '/picture': '<img src=/late.png width=10 height=10>',
    '/late.png': ({ response }) => void setTimeout(() => response.writeHead(404).end(), 400),
  });

  it('without overlays: those of consent managers are removed', async () => {
    const { html } = await suite.render('/consent-managers', { render: { removeOverlays: true } });
    expect(CONSENT_MANAGERS.filter((mark) => html.includes(mark))).toEqual([]);
    expect(html).not.toContain('GONE');
    expect(html).toContain(LONG.trim());
  });

  it.each(REMOVED)('without overlays: %s is removed', async (name) => {
    const { html } = await suite.render(`/${name.replaceAll(' ', '-')}`, {
      render: { removeOverlays: true },
    });
    expect(html).not.toContain('GONE');
    expect(html).toContain(LONG.trim());
  });

  it.each([...KEPT.map(([name]) => name.replaceAll(' ', '-')), 'app'])(
    'without overlays: %s stays',
    async (name) => {
      const { html } = await suite.render(`/${name}`, { render: { removeOverlays: true } });
      expect(html).toContain('KEPT');
    },
  );

  it('may scroll again once the overlay is gone', async () => {
    const { html } = await suite.render('/locked', { render: { removeOverlays: true } });
    expect(html).toContain('overflow: auto !important');
  });

  it('keeps overlays when the caller does not want them removed', async () => {
    const { html } = await suite.render('/consent-managers');
    expect(CONSENT_MANAGERS.filter((mark) => !html.includes(mark))).toEqual([]);
  });

  const sizes: [string, Partial<ScreenshotOptions>, object][] = [
    ['/tall', {}, { widthPx: 800, heightPx: 3045 }],
    ['/tall', { fullPage: false }, { widthPx: 800, heightPx: 800 }],
    ['/tall', { fullPage: false, element: '#part' }, { widthPx: 120, heightPx: 45 }],
    ['/tall', { format: 'jpeg', element: '#part' }, { contentType: 'image/jpeg', heightPx: 45 }],
    ['/tall', { fullPage: false, heightPx: 300 }, { widthPx: 800, heightPx: 300 }],
    ['/taller', {}, { widthPx: 800, heightPx: 16_384, isClipped: true }],
    // Two pixels for each of the viewport's.
    ['/tall', { mobile: true, widthPx: 390, fullPage: false }, { widthPx: 780 }],
    ['/tall', { mobile: true, widthPx: 800, fullPage: false }, { widthPx: 1_600 }],
  ];
  const largest: typeof sizes = [
    // 50 million pixels are the most.
    [
      '/taller',
      { widthPx: 7_680, heightPx: 4_320, format: 'jpeg' },
      { widthPx: 7_680, heightPx: 6_510, isClipped: true },
    ],
    [
      '/tall',
      { fullPage: false, widthPx: 7_680, heightPx: 4_320, format: 'jpeg' },
      { widthPx: 7_680, heightPx: 4_320 },
    ],
  ];
  it.each(casesOf(sizes, { full: largest }))(
    '%s %o is pictured in its true size',
    async (path, options, expected) => {
      const { screenshot } = await suite.render(path, {
        render: { screenshot: { ...shot, ...options } },
      });
      expect(screenshot).toMatchObject(expected);
      const size = imageSize(screenshot?.bytes ?? new Uint8Array());
      expect(size).toEqual({ widthPx: screenshot?.widthPx, heightPx: screenshot?.heightPx });
    },
  );

  it('is that of the whole page with what appears on scrolling, at the end of its animations', async () => {
    const pictureOf = async (path: string, options: Partial<ScreenshotOptions> = {}) => {
      const { screenshot } = await suite.render(path, {
        render: { screenshot: { ...shot, ...options } },
      });
      return Buffer.from(screenshot?.bytes ?? []).toString('base64');
    };
    const whole = await pictureOf('/revealed');
    expect(await pictureOf('/reveal')).toBe(whole);
    expect(await pictureOf('/reveal', { scroll: false })).not.toBe(whole);
    const last = { element: 'div:last-of-type' };
    expect(await pictureOf('/reveal', last)).toBe(await pictureOf('/revealed', last));
  });

  it('is scrolled in before it is printed', async () => {
    const { html } = await suite.render('/reveal', { actions: [{ type: 'pdf' }] });
    expect(html.match(/class="seen"/g)).toHaveLength(3);
  });

  it('has an end where the page has none', async () => {
    const { screenshot } = await suite.render('/endless', { render: { screenshot: shot } });
    expect(screenshot?.heightPx).toBeGreaterThan(3_000);
  });

  it('has the requested quality', async () => {
    const bytesOf = async (quality: number): Promise<number> => {
      const render = { screenshot: { ...shot, format: 'jpeg', quality } } as const;
      const { screenshot } = await suite.render('/tall', { render });
      return screenshot?.bytes.length ?? 0;
    };
    expect(await bytesOf(1)).toBeLessThan((await bytesOf(100)) / 2);
  });

  it.each([
    ['#none', 'No element matches "#none"'],
    ['div[', 'Not a CSS selector: "div["'],
    ['.none', 'No element matches ".nothing"'],
  ])('names an element that cannot be pictured: %s', async (element, problem) => {
    const given = problem.includes('.nothing') ? '.nothing' : element;
    const failure = await suite.failure('/tall', {
      render: { screenshot: { ...shot, element: given } },
    });
    expect(failure.problem).toBe(problem);
  });

  it('waits for the images of the page before its screenshot', async () => {
    await suite.render('/picture', { render: { screenshot: shot } });
    expect(suite.site.requests('/late.png')[0]?.endedAtMs).not.toBeNull();
  });

  it("is pictured in the browser's viewer when it is no markup, and comes as it was sent", async () => {
    const page = await suite.render('/more', { render: { screenshot: shot } });
    expect(page.screenshot?.widthPx).toBe(800);
  });

  it('loads what comes into view when the request scrolls', async () => {
    expect((await suite.render('/lazy')).html).not.toContain('LAZY');
    expect((await suite.render('/lazy', { scroll: true })).html).toContain('LAZY');
  });

  it("scrolls the box that scrolls in the page's place", async () => {
    expect((await suite.render('/inner-scroll', { scroll: true })).html).toContain('REACHED');
  });

  it('does not scroll an endless page for ever', async () => {
    const startedAt = performance.now();
    const { html } = await suite.render('/endless', { scroll: true, deadlineMs: 60_000 });
    expect(html.match(/item/g)?.length).toBeGreaterThan(5);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });
});
