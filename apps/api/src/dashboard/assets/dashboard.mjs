// The pages work without this: it adds what moves. It writes texts, attributes and elements, never markup.

/** How often the list of jobs is asked for while one of them runs. */
const POLL_MS = 2_000;
const COPIED_MS = 2_000;
const SECOND_MS = 1_000;
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

/** A button beside what is worth copying. */
function addCopyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Refused, or no secure page: then by hand, and the text is chosen already.
      getSelection()?.selectAllChildren(code);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => setText(button, 'Copy'), COPIED_MS);
  });
  (code.closest('pre') ?? code).after(button);
}

/** Follows one job as it changes, to its end. */
function followJob(view) {
  const events = new EventSource(view.dataset.liveJob);
  events.addEventListener('status', ({ data }) => showJob(view, JSON.parse(data)));
  events.addEventListener('end', () => events.close());
}

/** @param job as the page was made of it: see live-job.ts */
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

/** The address is signed anew each time: one that works is left as it is. */
function showDownload(link, address) {
  if (address === null || link.hasAttribute('href')) return;
  link.href = address;
  link.hidden = false;
}

/** Rows stay where they are, so that nothing jumps from under a pointer. */
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

/** Adds the next part of a list to the one that is shown, in place of going there. */
function addMore(rows) {
  rows.addEventListener('click', (event) => {
    const link = event.target.closest('[data-more]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.getAttribute('aria-busy') === 'true') return;
    link.setAttribute('aria-busy', 'true');
    loadPage(link.href).then(
      (page) => appendPart(rows, page),
      () => location.assign(link.href),
    );
  });
}

function loadPage(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.addEventListener('load', () => {
      const part = request.response?.querySelector('[data-rows]');
      if (request.status === 200 && part) resolve(part);
      else reject(new Error(`status ${request.status}`));
    });
    request.addEventListener('error', () => reject(new Error('out of reach')));
    request.open('GET', address);
    request.send();
  });
}

function appendPart(rows, part) {
  const added = [...part.querySelectorAll('tbody tr')].map((row) => document.importNode(row, true));
  const body = rows.querySelector('tbody');
  const pager = document.importNode(part.querySelector('.pager'), true);
  // Without a table there is a sentence in its place.
  if (body) body.append(...added);
  else rows.replaceChildren(document.importNode(part.firstElementChild, true), pager);
  rows.querySelector('.pager').replaceWith(pager);
  added[0]?.querySelector('a')?.focus();
  setText(document.querySelector('[data-announce]'), `${added.length} more.`);
}

/** Keeps a list of jobs fresh as long as one of them runs and somebody looks. */
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
    // Out of reach for now: the next look will tell.
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

/** A form whose answer takes its time says so, and is not sent twice. */
function announceWait(form) {
  form.addEventListener('submit', () => {
    const startedAt = performance.now();
    const place = form.querySelector('[data-announce]');
    setText(place, 'Fetching the page…');
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
      // Every second would be read out, too.
      if (seconds % 5 === 0) setText(place, `Fetching the page… ${seconds} s`);
    }, SECOND_MS);
    addEventListener('pagehide', () => clearInterval(timer), { once: true });
  });
}

/** A form is sent once, however often its button is pressed. */
function sendOnce(form) {
  form.addEventListener('submit', () => {
    for (const button of form.querySelectorAll('button')) button.disabled = true;
  });
}

/** A page that comes back from the browser's memory is as it was left: its buttons are not. */
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const button of document.querySelectorAll('button[disabled]')) button.disabled = false;
  for (const place of document.querySelectorAll('[data-announce]')) setText(place, '');
});

for (const code of document.querySelectorAll('[data-copy]')) addCopyButton(code);
for (const view of document.querySelectorAll('[data-live-job]')) followJob(view);
for (const list of document.querySelectorAll('[data-job-states]')) followList(list);
for (const form of document.querySelectorAll('form[data-waits]')) announceWait(form);
for (const form of document.querySelectorAll('form[method=post]')) sendOnce(form);
for (const rows of document.querySelectorAll('[data-rows]')) addMore(rows);
