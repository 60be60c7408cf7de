import { Element } from 'domhandler';
import { walk } from '../dom/walk.js';

/** Longest run of a character, to choose a longer fence. */
function longestRun(text: string, character: '`' | '~'): number {
  let longest = 0;
  for (const run of text.match(character === '`' ? /`+/g : /~+/g) ?? []) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}

/** Inline code that survives backticks in it. */
export function codeSpan(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  const fence = '`'.repeat(longestRun(text, '`') + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** A fenced block; the fence is longer than any run of backticks inside. */
export function codeFence(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

const LINE_NUMBERS =
  /(?:^|\s)(?:lineno|linenos|linenodiv|line-numbers?-rows|gutter|rouge-gutter|blob-num|hljs-ln-numbers|react-syntax-highlighter-line-number)(?:\s|$)/;

/** The gutter of line numbers that highlighters put beside code. */
export function isLineNumbers({ attribs }: Element): boolean {
  return attribs.class !== undefined && LINE_NUMBERS.test(attribs.class);
}

/** Elements that put what they hold on lines of its own. */
const LINES = new Set([
  'div',
  'p',
  'li',
  'tr',
  'ol',
  'ul',
  'table',
  'pre',
  'section',
  'blockquote',
]);

/**
 * Text of preformatted content, character for character: highlighting dropped, `<br>` and blocks
 * as line breaks, no space at line ends, no blank line at the start or the end.
 */
export function preformattedText(root: Element): string {
  const parts: string[] = [];
  let endsLine = true;
  const put = (text: string): void => {
    if (text === '') return;
    parts.push(text);
    endsLine = text.endsWith('\n');
  };
  const endLine = (): void => {
    if (!endsLine) put('\n');
  };
  walk(root, {
    text: put,
    enter(element) {
      if (SKIPPED.has(element.name) || isLineNumbers(element)) return false;
      if (element.name === 'br') put('\n');
      if (LINES.has(element.name)) endLine();
      return true;
    },
    leave(element) {
      if (LINES.has(element.name)) endLine();
    },
  });
  return trimLines(parts.join(''));
}

const SKIPPED = new Set(['script', 'style', 'template', 'svg', 'button', 'textarea', 'select']);

function trimLines(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0\u200b]/g, '')
    .replaceAll('\u00a0', ' ');
  return lines
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** How highlighters name the language: prism, hljs, GitHub, Sphinx, SyntaxHighlighter, pandoc. */
const LANGUAGE_CLASSES: readonly RegExp[] = [
  /(?:^|\s)(?:language|lang)-([\w+#.-]+)/,
  /(?:^|\s)highlight-(?:source|text)-([\w+#.-]+)/,
  /(?:^|\s)brush:\s*([\w+#.-]+)/,
  /(?:^|\s)sourceCode\s+([\w+#.-]+)/,
  /(?:^|\s)highlight-([\w+#.-]+)/,
];

const NO_LANGUAGE = new Set([
  'none',
  'text',
  'plain',
  'plaintext',
  'default',
  'txt',
  'nohighlight',
]);

/** Levels of wrappers above a pre that may carry its language. */
const WRAPPER_LEVELS = 3;

/** Language of a code block, from itself, the code element inside or its wrappers; else empty. */
export function codeLanguage(pre: Element): string {
  const code = pre.children.find(
    (child): child is Element => child instanceof Element && child.name === 'code',
  );
  const carriers = code === undefined ? [pre] : [code, pre];
  let wrapper = pre.parent;
  for (let level = 0; level < WRAPPER_LEVELS && wrapper instanceof Element; level++) {
    if (wrapper.name !== 'div' && wrapper.name !== 'figure' && wrapper.name !== 'code-block') break;
    carriers.push(wrapper);
    wrapper = wrapper.parent;
  }
  for (const carrier of carriers) {
    const language = languageOf(carrier);
    if (language !== undefined) return NO_LANGUAGE.has(language) ? '' : language;
  }
  return '';
}

function languageOf({ attribs }: Element): string | undefined {
  const named = attribs['data-lang'] ?? attribs['data-language'];
  if (named !== undefined && /^[\w+#.-]+$/.test(named)) return named.toLowerCase();
  if (attribs.class === undefined) return undefined;
  for (const pattern of LANGUAGE_CLASSES) {
    const language = pattern.exec(attribs.class)?.[1];
    if (language !== undefined) return language.toLowerCase();
  }
  return undefined;
}
