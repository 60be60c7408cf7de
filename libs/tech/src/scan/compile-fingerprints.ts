import { parseSelectors, type DomSelector } from '../dom/selector.js';
import { SelectorIndex } from '../dom/selector-index.js';
import type { ElementTest, Fingerprint, PatternTexts } from '../fingerprint.js';
import { MarkIndex } from '../literals/mark-index.js';
import { type CompiledPattern, compilePattern, readTags } from '../pattern/compile-pattern.js';
import { PatternProblem } from '../pattern/pattern-problem.js';
import type {
  ElementMark,
  FingerprintSet,
  NamedMarks,
  TechnologyFacts,
} from './fingerprint-set.js';
import type { Mark } from './mark.js';

/**
 * Compiles fingerprints for {@link scanPage}. Of technologies of the same name the last is kept. A
 * pattern or selector that cannot be used is left out and named in `problems`; nothing is thrown
 * for it.
 */
export function compileFingerprints(list: readonly Fingerprint[]): FingerprintSet {
  const byName = new Map(list.map((fingerprint) => [fingerprint.name, fingerprint]));
  return new Compilation([...byName.values()]).set();
}

/** Of software that serves or makes a site; see `isOfSite`. Compared by letters, without a plural. */
const SITE_CATEGORIES: ReadonlySet<string> = new Set(
  [
    ...[
      'Blog',
      'CMS',
      'Code hosting',
      'Database',
      'Database manager',
      'Documentation',
      'Drupal theme',
    ],
    ...['E-commerce', 'Hosting panel', 'Issue tracker', 'LMS', 'Message board', 'Network storage'],
    ...[
      'Page builder',
      'Photo gallery',
      'Photo galleries',
      'Programming language',
      'Shopify theme',
    ],
    ...[
      'Static site generator',
      'Web framework',
      'Web mail',
      'Web server',
      'Wiki',
      'WordPress plugin',
    ],
    ...['WordPress theme'],
  ].map(categoryKey),
);

type TextKind = 'url' | 'scriptSrc' | 'network' | 'scripts' | 'css' | 'html';
type NamedKind = 'headers' | 'cookies' | 'meta' | 'js';

class Compilation {
  private readonly problems: string[] = [];
  private readonly patterns = new Map<string, CompiledPattern | null>();
  private readonly marks: Mark[] = [];

  constructor(private readonly list: readonly Fingerprint[]) {}

  set(): FingerprintSet {
    const globals = this.named('js', (path) => path);
    const lower = (name: string): string => name.toLowerCase();
    const ofSite = this.ofSite();
    const technologies = this.list.map((one) => factsOf(one, ofSite.has(one.name)));
    const parts = {
      size: this.list.length,
      globalPaths: [...globals.byName.keys()].sort(),
      technologies,
      byName: new Map(technologies.map((facts) => [facts.name, facts])),
      headers: this.named('headers', lower),
      cookies: this.named('cookies', (name) => name),
      meta: this.named('meta', lower),
      globals,
      url: this.texts('url'),
      scriptSrc: this.texts('scriptSrc'),
      network: this.texts('network'),
      scripts: this.texts('scripts'),
      css: this.texts('css'),
      html: this.texts('html'),
      dom: this.dom(),
    };
    const { marks, problems, list } = this;
    return {
      ...parts,
      markCount: marks.length,
      problems,
      get backtracking() {
        return marks
          .filter(({ pattern }) => pattern.isBacktracking)
          .map(({ technology, pattern }) => `${list[technology]?.name}: ${pattern.text}`);
      },
    };
  }

  /** Names of the technologies that are of a category of {@link SITE_CATEGORIES}, or imply one that is. */
  private ofSite(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { name, category } of this.list)
      if (SITE_CATEGORIES.has(categoryKey(category))) names.add(name);
    for (let before = -1; before < names.size;) {
      before = names.size;
      for (const { name, implies } of this.list)
        if ((implies ?? []).some((text) => names.has(readTags(text).source))) names.add(name);
    }
    return names;
  }

  private texts(kind: TextKind): MarkIndex {
    return new MarkIndex(
      this.list.flatMap((fingerprint, technology) =>
        listOf(fingerprint[kind]).flatMap((text) => this.mark(technology, kind, text)),
      ),
    );
  }

  private named(kind: NamedKind, nameOf: (name: string) => string): NamedMarks {
    const byName = new Map<string, Mark[]>();
    for (const [technology, fingerprint] of this.list.entries())
      for (const [name, texts] of Object.entries(fingerprint[kind] ?? {}))
        for (const text of listOf(texts)) {
          const marks = this.mark(technology, `${kind} '${name}'`, text);
          byName.set(nameOf(name), [...(byName.get(nameOf(name)) ?? []), ...marks]);
        }
    return namedMarks(byName);
  }

  private dom(): SelectorIndex<readonly ElementMark[]> {
    const rules: [DomSelector, readonly ElementMark[]][] = [];
    for (const [technology, { dom }] of this.list.entries())
      for (const [text, test] of testsOf(dom)) {
        const selectors = this.selectors(technology, text);
        const marks = this.elementMarks(technology, text, test);
        if (marks.length > 0) for (const selector of selectors) rules.push([selector, marks]);
      }
    return new SelectorIndex(rules);
  }

  private selectors(technology: number, text: string): readonly DomSelector[] {
    try {
      return parseSelectors(text);
    } catch (error) {
      if (!(error instanceof PatternProblem)) throw error;
      this.complain(technology, 'dom', `selector '${text.slice(0, 120)}' ${error.message}`);
      return [];
    }
  }

  private elementMarks(technology: number, selector: string, test: ElementTest): ElementMark[] {
    const where = `dom '${selector.slice(0, 80)}'`;
    const marks = (text: string | undefined, of: ElementMark['of']): ElementMark[] =>
      text === undefined ? [] : this.mark(technology, where, text).map((mark) => ({ mark, of }));
    return [
      ...marks(test.exists, { kind: 'exists' }),
      ...marks(test.text, { kind: 'text' }),
      ...Object.entries(test.attributes ?? {}).flatMap(([name, text]) =>
        marks(text, { kind: 'attribute', name: name.toLowerCase() }),
      ),
    ];
  }

  /** One mark, or none when its pattern cannot be used. Equal patterns are compiled once. */
  private mark(technology: number, where: string, text: string): Mark[] {
    const pattern = this.patterns.get(text) ?? this.compile(technology, where, text);
    if (pattern === null) return [];
    const mark = { id: this.marks.length, technology, pattern };
    this.marks.push(mark);
    return [mark];
  }

  private compile(technology: number, where: string, text: string): CompiledPattern | null {
    const result = compilePattern(text);
    if ('problem' in result) this.complain(technology, where, result.problem);
    const pattern = 'pattern' in result ? result.pattern : null;
    this.patterns.set(text, pattern);
    return pattern;
  }

  private complain(technology: number, where: string, problem: string): void {
    this.problems.push(`${this.list[technology]?.name}: ${where}: ${problem}`);
  }
}

function namedMarks(marks: ReadonlyMap<string, readonly Mark[]>): NamedMarks {
  const byName = new Map<string, MarkIndex>();
  const byPrefix = new Map<number, Map<string, MarkIndex>>();
  for (const [name, of] of marks) {
    if (!name.endsWith('*')) {
      byName.set(name, new MarkIndex(of));
      continue;
    }
    const prefix = name.slice(0, -1);
    const ofLength = byPrefix.get(prefix.length) ?? new Map<string, MarkIndex>();
    byPrefix.set(prefix.length, ofLength.set(prefix, new MarkIndex(of)));
  }
  return { byName, byPrefix };
}

/** As our own table and those of operators write it. */
function categoryKey(category: string): string {
  return category
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/s$/, '');
}

function factsOf(fingerprint: Fingerprint, isOfSite: boolean): TechnologyFacts {
  const { name, category, implies, requires, requiresCategory, excludes } = fingerprint;
  return {
    name,
    category,
    implies: (implies ?? []).map((text) => {
      const { source, confidence } = readTags(text);
      return [source, confidence] as const;
    }),
    requires: requires ?? [],
    requiresCategory: requiresCategory ?? [],
    excludes: excludes ?? [],
    isOfSite,
  };
}

function listOf(texts: PatternTexts | undefined): readonly string[] {
  if (texts === undefined) return [];
  return typeof texts === 'string' ? [texts] : texts;
}

/** A list of selectors tests their existence. */
function testsOf(dom: Fingerprint['dom']): readonly (readonly [string, ElementTest])[] {
  if (dom === undefined) return [];
  if (!isList(dom)) return Object.entries(dom);
  return dom.map((text) => {
    const { source } = readTags(text);
    return [source, { exists: text.slice(source.length) }] as const;
  });
}

function isList(dom: NonNullable<Fingerprint['dom']>): dom is readonly string[] {
  return Array.isArray(dom);
}
