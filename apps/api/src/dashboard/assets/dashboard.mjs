// The pages work without this: it adds what moves. It writes texts and attributes only, never markup.

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

/** Follows one job as it changes. */
function followJob(view) {
  const events = new EventSource(view.dataset.liveJob);
  events.addEventListener('status', ({ data }) => showJob(view, JSON.parse(data)));
  events.addEventListener('end', () => {
    events.close();
    for (const element of view.querySelectorAll('[data-while-live]')) element.remove();
  });
}

function showJob(view, { status, pages }) {
  const ended = pages.scraped + pages.failed + pages.skipped + pages.cancelled;
  showState(view, status);
  for (const [name, count] of Object.entries({ ...pages, ended }))
    setText(view.querySelector(`[data-count="${name}"]`), numbers.format(count));
  const bar = view.querySelector('[data-progress]');
  bar.max = Math.max(1, pages.discovered);
  bar.value = ended;
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
    form.querySelector('button').disabled = true;
    setText(place, 'Fetching the page…');
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
      // Every second would be read out, too.
      if (seconds % 5 === 0) setText(place, `Fetching the page… ${seconds} s`);
    }, SECOND_MS);
    addEventListener('pagehide', () => clearInterval(timer), { once: true });
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
