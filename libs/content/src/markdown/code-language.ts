import { Element } from 'domhandler';

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
export function codeLanguage(pre: Element): string {
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
