import type { Page } from 'playwright';

/** What is wrong with a page for those who cannot see it well, or use no pointer. */
export async function auditPage(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(${AUDIT})()`)) as string[];
}

/** Elements that take the focus by Tab and do not show it. */
export async function focusesUnseen(page: Page): Promise<readonly string[]> {
  const unseen: string[] = [];
  const count = Number(await page.evaluate(`document.querySelectorAll(${FOCUSABLE}).length`));
  await page.evaluate('document.activeElement?.blur()');
  for (let n = 0; n <= count; n++) {
    await page.keyboard.press('Tab');
    const problem = (await page.evaluate(`(${FOCUS})()`)) as string | null;
    if (problem !== null) unseen.push(problem);
  }
  return unseen;
}

const FOCUSABLE = `'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'`;

/** An outline of its own or, where a control is drawn by its label, that of the label. */
const FOCUS = `function () {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const shown = [element, ...(element.labels ?? [])].some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  });
  const box = element.getBoundingClientRect();
  if (shown && box.width > 0) return null;
  return element.outerHTML.slice(0, 120);
}`;

const AUDIT = `function () {
  const problems = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const check = (isRight, problem) => { if (!isRight) problems.push(problem); };
  const nameOf = (one) =>
    (one.getAttribute('aria-label') || one.textContent || '').trim();

  check(document.documentElement.lang === 'en', 'no language');
  check(document.title.trim() !== '', 'no title');
  check(all('h1').length === 1, all('h1').length + ' headings of first rank');
  check(all('main').length === 1, 'no one main part');
  check(document.body.firstElementChild.getAttribute('href') === '#main', 'no way past the menu');

  const ids = all('[id]').map((one) => one.id);
  check(new Set(ids).size === ids.length, 'an id twice: ' + ids);
  for (const name of ['aria-labelledby', 'aria-describedby'])
    for (const one of all('[' + name + ']'))
      for (const id of one.getAttribute(name).split(' '))
        check(document.getElementById(id), name + ' leads nowhere');
  for (const one of all('input:not([type=hidden]), select, textarea'))
    check(one.labels.length > 0, 'no label: ' + one.outerHTML);
  for (const one of all('a[href], button, summary')) check(nameOf(one), 'no name: ' + one.outerHTML);
  for (const one of all('nav, [role=region], aside, section'))
    check(one.hasAttribute('aria-label') || one.hasAttribute('aria-labelledby'), 'unnamed part: ' + one.outerHTML.slice(0, 80));
  for (const one of all('table')) check(one.querySelector('caption') || one.closest('article'), 'no caption');
  for (const one of all('th')) check(one.scope, 'a head of nothing');
  for (const one of all('svg')) check(one.getAttribute('aria-hidden') === 'true' || one.getAttribute('aria-label'), 'unnamed picture');
  let rank = 1;
  for (const one of all('h1, h2, h3, h4, h5, h6')) {
    const next = Number(one.tagName[1]);
    if (!one.closest('article')) check(next <= rank + 1, 'a rank left out: ' + one.textContent);
    rank = next;
  }

  // WCAG 2.2, 1.4.3: contrast of text with what lies behind it.
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const [r, g, b, alpha = 1] = channels(getComputedStyle(at).backgroundColor);
      if (alpha > 0.99) return [r, g, b];
    }
    return [255, 255, 255];
  };
  for (const one of all('body *')) {
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const { color, fontSize, fontWeight, visibility } = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    if (!hasText || box.width < 2 || visibility === 'hidden') continue;
    const [a, b] = [luminance(channels(color).slice(0, 3)), luminance(behind(one))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
    check(ratio >= (isLarge ? 3 : 4.5), 'hard to read, ' + ratio.toFixed(2) + ': ' + one.outerHTML.slice(0, 100));
  }
  for (const one of all('button, .button, nav a, input:not([type=hidden], [type=radio]), select')) {
    const { width, height } = one.getBoundingClientRect();
    // WCAG 2.2, 2.5.8, but for a box whose label takes the pointer, too.
    const target = one.labels?.[0]?.contains(one) ? one.labels[0].getBoundingClientRect() : { width, height };
    if (width > 0) check(target.width >= 24 && target.height >= 24, 'too small: ' + one.outerHTML.slice(0, 100));
  }
  return problems;
}`;
