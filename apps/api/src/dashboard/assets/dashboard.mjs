// The pages work without this script; it adds live updates. It writes texts, attributes and elements, never markup.

/** How often the list of jobs is polled while a job runs. */
const POLL_MS = 2_000;
/** Least pause between two looks at the tree of a site. */
const SITE_MS = 3_000;
const COPIED_MS = 2_000;
const SECOND_MS = 1_000;
/** Pause in typing after which the code of a request is made anew. */
const TYPING_MS = 300;
const ACTIVE = new Set(['queued', 'running', 'processing']);

const numbers = new Intl.NumberFormat('en-US');

function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

function showState(scope, state) {
  const badge = scope.querySelector('.state');
  if (!badge) return;
  badge.dataset.state = state;
  setText(badge, state);
}

/** Adds a copy button. */
function addCopyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // No permission, or not a secure context: the text is selected, so that the user can copy it.
      getSelection()?.selectAllChildren(code);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => setText(button, 'Copy'), COPIED_MS);
  });
  (code.closest('pre') ?? code).after(button);
}

/** Follows one job until it ends. */
function followJob(view) {
  const events = new EventSource(view.dataset.liveJob);
  const refreshSite = () => refresh('[data-site]', (site) => site.dataset.site);
  const showSite = seldom(refreshSite);
  events.addEventListener('status', ({ data }) => {
    showJob(view, JSON.parse(data));
    showSite();
  });
  events.addEventListener('end', () => {
    events.close();
    void refreshSite();
  });
}

/** Throttles calls: the first runs at once, later ones at most every SITE_MS. */
function seldom(work) {
  let timer;
  let isDue = false;
  const run = () => {
    isDue = false;
    void work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) run();
    }, SITE_MS);
  };
  return () => {
    isDue = true;
    if (timer === undefined) run();
  };
}

/** Loads an element of the page anew. The keyboard's focus in it stays where it was. */
async function refresh(selector, addressOf) {
  const shown = document.querySelector(selector);
  if (!shown || document.visibilityState !== 'visible') return;
  const part = await loadPart(selector, addressOf(shown)).catch(() => null);
  if (!part) return;
  const focused = shown.contains(document.activeElement) && document.activeElement.href;
  shown.replaceWith(document.importNode(part, true));
  if (focused)
    [...document.querySelectorAll(`${selector} a`)].find((link) => link.href === focused)?.focus();
}

/** @param job the data of the page: see live-job.ts */
function showJob(view, job) {
  showState(view, job.state);
  for (const [name, count] of Object.entries(job.counts))
    setText(view.querySelector(`[data-count="${name}"]`), numbers.format(count));
  const bar = view.querySelector('[data-progress]');
  bar.max = job.progress.total;
  bar.value = job.progress.done;
  setText(view.querySelector('[data-progress-text]'), job.progress.text);
  showReasons(view, job.reasons);
  showText(view.querySelector('[data-error]'), job.error);
  view.querySelector('[data-capped]').hidden = !job.isCapped;
  if (job.endedAt) showEnd(view, job.endedAt);
  showDownload(view.querySelector('[data-download]'), job.download);
  if (job.isEnded)
    for (const element of view.querySelectorAll('[data-while-live]')) element.remove();
}

function showText(element, text) {
  element.hidden = text === null;
  setText(element, text ?? '');
}

function showEnd(view, { iso, text }) {
  const time = document.createElement('time');
  time.dateTime = iso;
  time.textContent = text;
  view.querySelector('[data-ended]').replaceChildren(time);
}

/** The URL is signed anew each time: one that works is kept. */
function showDownload(link, address) {
  if (address === null || link.hasAttribute('href')) return;
  link.href = address;
  link.hidden = false;
}

/** Rows keep their place, so that nothing moves under the pointer. */
function showReasons(view, reasons) {
  const list = view.querySelector('[data-reasons]');
  reasons.forEach((reason, place) => {
    const row = list.children[place] ?? list.appendChild(reasonRow());
    const [link, count] = row.children;
    if (link.getAttribute('href') !== reason.href) link.setAttribute('href', reason.href);
    setText(link, reason.title);
    setText(count, numbers.format(reason.pages));
  });
  while (list.children.length > reasons.length) list.lastElementChild.remove();
  view.querySelector('[data-missing]').hidden = reasons.length === 0;
}

function reasonRow() {
  const row = document.createElement('li');
  const count = document.createElement('span');
  count.className = 'number';
  row.append(document.createElement('a'), count);
  return row;
}

/** Appends the next part of a list instead of navigating to it. */
function addMore(rows) {
  rows.addEventListener('click', (event) => {
    const link = event.target.closest('[data-more]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.getAttribute('aria-busy') === 'true') return;
    link.setAttribute('aria-busy', 'true');
    loadPart('[data-rows]', link.href).then(
      (page) => appendPart(rows, page),
      () => location.assign(link.href),
    );
  });
}

/** Loads an element of one of our pages; with a form, of the response to it, as if a button had sent it. */
function loadPart(selector, address, form, button) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.addEventListener('load', () => {
      const part = request.response?.querySelector(selector);
      if (request.status === 200 && part) resolve(part);
      else reject(new Error(`status ${request.status}`));
    });
    request.addEventListener('error', () => reject(new Error('out of reach')));
    request.open(form ? 'POST' : 'GET', address);
    request.send(form && new URLSearchParams(new FormData(form, button)));
  });
}

/** A part of the page follows what is filled in to a form. Out of reach: what was there stays. */
function followForm(form, { selector, load, show }) {
  let timer;
  let turn = 0;
  const look = async (mine) => {
    const part = await load().catch(() => null);
    const shown = document.querySelector(selector);
    // Overtaken: a later one is on its way.
    if (part && shown && mine === turn) show(shown, document.importNode(part, true));
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => look(++turn), TYPING_MS);
  });
}

/** A button of a list of rows changes the list alone; the code beside follows. */
function changeRows(form) {
  form.addEventListener('click', (event) => {
    const button = event.target.closest('[data-changes-rows]');
    if (!button) return;
    event.preventDefault();
    const selector = `[data-rows-of="${CSS.escape(button.dataset.changesRows)}"]`;
    loadPart(selector, form.action, form, button).then(
      (part) => {
        form.querySelector(selector).replaceWith(document.importNode(part, true));
        form.querySelector(`${selector} li:last-child :is(select, input)`)?.focus();
        form.dispatchEvent(new Event('input'));
      },
      () => form.requestSubmit(button),
    );
  });
}

/** The code beside a form. */
function followRequest(form) {
  const selector = '[data-request-code]';
  const load = () => loadPart(selector, form.dataset.code, form);
  followForm(form, { selector, load, show: showCode });
}

function showCode(shown, next) {
  const language = shown.querySelector(':checked')?.id;
  const chosen = language && next.querySelector(`#${CSS.escape(language)}`);
  if (chosen) chosen.checked = true;
  for (const code of next.querySelectorAll('[data-copy]')) addCopyButton(code);
  shown.replaceWith(next);
}

/** What a search finds as one types. */
function followSearch(form) {
  const selector = form.dataset.part;
  const load = () =>
    loadPart(selector, `${form.action}?${new URLSearchParams(new FormData(form))}`);
  // The element stays, so that a screen reader notices.
  followForm(form, {
    selector,
    load,
    show: (shown, next) => shown.replaceChildren(...next.childNodes),
  });
}

/** A picture of a page scrolls in step with the text beside it, by the share that has been read. */
function keepStep(picture) {
  const text = picture.parentElement.querySelector('article');
  if (!text) return;
  const follow = () => {
    const { top, height } = text.getBoundingClientRect();
    const unseen = height - innerHeight;
    const share = unseen > 0 ? Math.min(1, Math.max(0, -top / unseen)) : 0;
    picture.scrollTop = share * (picture.scrollHeight - picture.clientHeight);
  };
  addEventListener('scroll', () => requestAnimationFrame(follow), { passive: true });
}

function appendPart(rows, part) {
  const added = [...part.querySelectorAll('tbody tr')].map((row) => document.importNode(row, true));
  const body = rows.querySelector('tbody');
  const pager = document.importNode(part.querySelector('.pager'), true);
  // Without rows the page has a text instead of a table.
  if (body) body.append(...added);
  else rows.replaceChildren(document.importNode(part.firstElementChild, true), pager);
  rows.querySelector('.pager').replaceWith(pager);
  added[0]?.querySelector('a')?.focus();
  setText(document.querySelector('[data-announce]'), `${added.length} more.`);
}

/** Refreshes a list of jobs while a job runs and the page is visible. */
function followList(list) {
  const isActive = () =>
    [...list.querySelectorAll('.state')].some(({ dataset }) => ACTIVE.has(dataset.state));
  const look = async () => {
    if (!isActive()) return;
    if (document.visibilityState === 'visible') await showStates(list);
    setTimeout(look, POLL_MS);
  };
  setTimeout(look, POLL_MS);
}

async function showStates(list) {
  try {
    const response = await fetch(list.dataset.jobStates, { cache: 'no-store' });
    if (!response.ok) return;
    const { jobs } = await response.json();
    for (const job of jobs) showRow(list, job);
  } catch {
    // The API is unreachable for now: the next poll tries again.
  }
}

function showRow(list, { id, status, pages_scraped: pages }) {
  const row = list.querySelector(`[data-job="${CSS.escape(id)}"]`);
  if (!row) return;
  const before = row.querySelector('.state')?.dataset.state;
  showState(row, status);
  setText(row.querySelector('[data-count="scraped"]'), numbers.format(pages));
  if (before !== status && !ACTIVE.has(status))
    setText(document.querySelector('[data-announce]'), `A job is ${status}: ${pages} pages.`);
}

/** A form with a slow response shows progress, and is sent only once. */
function announceWait(form) {
  form.addEventListener('submit', () => {
    const startedAt = performance.now();
    const place = form.querySelector('[data-announce]');
    setText(place, 'Working…');
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
      // A screen reader would read out every second.
      if (seconds % 5 === 0) setText(place, `Working… ${seconds} s`);
    }, SECOND_MS);
    addEventListener('pagehide', () => clearInterval(timer), { once: true });
  });
}

/** A form is sent once, however often its button is pressed. */
function sendOnce(form) {
  const disable = () => {
    for (const button of form.querySelectorAll('button')) button.disabled = true;
  };
  // Later: a disabled button sends no value.
  form.addEventListener('submit', () => setTimeout(disable));
}

/** The browser restores a page from memory as it was left, so its buttons must be enabled again. */
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const button of document.querySelectorAll('button[disabled]')) button.disabled = false;
  for (const place of document.querySelectorAll('[data-announce]')) setText(place, '');
});

for (const code of document.querySelectorAll('[data-copy]')) addCopyButton(code);
for (const view of document.querySelectorAll('[data-live-job]')) followJob(view);
for (const list of document.querySelectorAll('[data-job-states]')) followList(list);
for (const form of document.querySelectorAll('form[data-waits]')) announceWait(form);
for (const form of document.querySelectorAll('form[data-code]')) {
  followRequest(form);
  changeRows(form);
}
for (const form of document.querySelectorAll('form[data-part]')) followSearch(form);
for (const form of document.querySelectorAll('form[method=post]')) sendOnce(form);
for (const picture of document.querySelectorAll('[data-keeps-step]')) keepStep(picture);
for (const rows of document.querySelectorAll('[data-rows]')) addMore(rows);
