import { Element } from 'domhandler';
import { textOf } from '../dom/walk.js';
import { codeFence, codeSpan, isLineNumbers, preformattedText } from './code-text.js';
import type { InlineWriter } from './inline-writer.js';
import type { BlockFlow } from './table-elements.js';
import type { TableWriter } from './table-writer.js';

/** Code on lines of its own: a fence, or a line of spans in a table cell. */
export class CodeElements {
  constructor(
    private readonly tables: TableWriter,
    private readonly inline: InlineWriter,
    private readonly flow: BlockFlow,
  ) {}

  /** Answers whether the element's content is still to be written. */
  enter(element: Element): boolean {
    if (isLineNumbers(element)) return false;
    const { text, isCut } = preformattedText(element);
    // Some pictures are in preformatted blocks for no reason; line numbers have one.
    if (text === '') return textOf(element, MAX_BLANK_CHARS).trim() === '';
    if (this.tables.isInCell) {
      this.writeInCell(text);
    } else {
      this.flow.startBlock();
      this.flow.write(codeFence(text, codeLanguage(element)), 'code');
    }
    if (isCut) this.flow.stop();
    return false;
  }

  private writeInCell(text: string): void {
    this.inline.break('<br>');
    for (const line of text.split('\n')) {
      if (line.trim() !== '') this.inline.atom(codeSpan(line.trim()));
      this.inline.break('<br>');
    }
  }
}

/** White space around a picture; more of it is not looked through. */
const MAX_BLANK_CHARS = 1_000;

/**
 * How highlighters name the language: prism, hljs, GitHub, SyntaxHighlighter, pandoc, Sphinx. A
 * name may go on with what only the highlighter reads (`js{1,3}`, `js:title=a`).
 */
const LANGUAGE_CLASSES: readonly RegExp[] = [
  /(?:^|\s)(?:language|lang)-([^\s`{}:,"'<>]+)/,
  /(?:^|\s)highlight-(?:source|text)-([\w+#.-]+)/,
  /(?:^|[\s;])brush:\s*([\w+#.-]+)/,
  /(?:^|\s)sourceCode\s+([\w+#.-]+)/,
  /(?:^|\s)highlight-([\w+#.-]+)/,
];

/** Languages that older highlighters, Hexo and rustdoc name by a class that says nothing else. */
const BARE_NAMES = new Set(
  'bash sh shell zsh console powershell c cpp c++ csharp cs java kotlin scala groovy javascript js jsx typescript ts tsx json json5 yaml yml toml ini xml html css scss sass less sql pgsql python py ruby rb rust go golang php perl lua swift dart elixir erlang haskell clojure r matlab julia objectivec makefile dockerfile docker nginx apache diff graphql protobuf latex tex markdown md vim awk http plsql fortran lisp scheme ocaml fsharp vbnet asm llvm cmake gradle terraform hcl solidity zig nix svelte vue'.split(
    ' ',
  ),
);

const NO_LANGUAGE = new Set(
  'none text plain plaintext default txt nohighlight no-highlight auto undefined notranslate'.split(
    ' ',
  ),
);

/** Attributes that hold a name, or a name after `brush:`. */
const ATTRIBUTES = ['data-lang', 'data-language', 'data-enlighter-language', 'lang'];
const NAME = /^[\w+#.-]{1,40}$/;

/** Levels of wrappers above a pre that may carry its language. */
const WRAPPER_LEVELS = 5;

/** Language of a code block, from itself, the code element inside or its wrappers; else empty. */
function codeLanguage(pre: Element): string {
  for (const carrier of carriersOf(pre)) {
    const language = languageOf(carrier)?.toLowerCase();
    if (language !== undefined) return NO_LANGUAGE.has(language) ? '' : language;
  }
  return '';
}

function carriersOf(pre: Element): Element[] {
  const code = pre.children.find(
    (child): child is Element => child instanceof Element && child.name === 'code',
  );
  const carriers = code === undefined ? [pre] : [code, pre];
  let wrapper = pre.parent;
  for (let level = 0; level < WRAPPER_LEVELS && wrapper instanceof Element; level++) {
    if (!/^(?:div|figure|code-block|td|tr|tbody|table)$/.test(wrapper.name)) break;
    carriers.push(wrapper);
    wrapper = wrapper.parent;
  }
  return carriers;
}

function languageOf(carrier: Element): string | undefined {
  const { attribs } = carrier;
  for (const name of ATTRIBUTES) {
    const value = attribs[name];
    // `lang` is a human language anywhere but on the code itself.
    if (value === undefined || (name === 'lang' && carrier.name !== 'pre')) continue;
    if (NAME.test(value) && (name !== 'lang' || BARE_NAMES.has(value.toLowerCase()))) return value;
  }
  const classes = attribs.class ?? attribs['data-syntaxhighlighter-params'];
  return classes === undefined ? undefined : languageInClasses(classes, carrier.name);
}

function languageInClasses(classes: string, name: string): string | undefined {
  for (const pattern of LANGUAGE_CLASSES) {
    const language = pattern.exec(classes)?.[1];
    if (language !== undefined) return language;
  }
  const mayBeBare =
    name === 'pre' || name === 'code' || /(?:^|\s)(?:syntax)?highlight(?:er)?\s/.test(classes);
  if (!mayBeBare) return undefined;
  return classes.split(/\s+/).find((word) => BARE_NAMES.has(word.toLowerCase()));
}
