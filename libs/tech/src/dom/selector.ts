import { PatternProblem } from '../pattern/pattern-problem.js';

export type AttributeOperator = 'exists' | '=' | '^=' | '$=' | '*=' | '~=' | '|=';

export interface AttributeTest {
  readonly name: string;
  readonly operator: AttributeOperator;
  readonly value: string;
  readonly ignoresCase: boolean;
}

/** What one element has to be, such as `a.button[href^="/"]`. */
export interface Compound {
  /** Lower case; null for any. */
  readonly tag: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
}

/** Compounds of which each is the child of the next, the innermost first. */
export type ChildChain = readonly Compound[];

/** Chains of which each lies somewhere within the next, the innermost first. */
export type DomSelector = readonly ChildChain[];

const MAX_SELECTOR_CHARS = 1_000;

/**
 * Reads a list of selectors of tags, ids, classes and attributes, with descendant and child combinators.
 * Throws a {@link PatternProblem} for others.
 */
export function parseSelectors(text: string): readonly DomSelector[] {
  if (text.length > MAX_SELECTOR_CHARS)
    throw new PatternProblem(`is longer than ${MAX_SELECTOR_CHARS} characters`);
  return new SelectorParser(text).list();
}

const NAME = /^(?:[\w\u0080-\uffff-]|\\.)+/;
const ATTRIBUTE =
  /^\[[ \t]*([\w\u0080-\uffff:.\\-]+)[ \t]*(?:([~|^$*]?=)[ \t]*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s\]"']+))(?:[ \t]*([iIsS]))?[ \t]*)?\]/;

class SelectorParser {
  private rest: string;

  constructor(text: string) {
    this.rest = text.trim();
  }

  list(): readonly DomSelector[] {
    const selectors = [this.selector()];
    while (this.take(/^\s*,\s*/)) selectors.push(this.selector());
    if (this.rest !== '') throw this.unknown();
    return selectors;
  }

  private selector(): DomSelector {
    const chains: Compound[][] = [[this.compound()]];
    for (;;) {
      const combinator = this.take(/^(?:\s*>\s*|\s+(?![\s,]|$))/);
      if (combinator === undefined) break;
      const compound = this.compound();
      if (combinator.trim() === '>') chains.at(-1)?.unshift(compound);
      else chains.push([compound]);
    }
    return chains.reverse();
  }

  private compound(): Compound {
    const before = this.rest;
    const tag = this.take(/^\*/) ?? this.take(NAME);
    let id: string | null = null;
    const classes: string[] = [];
    const attributes: AttributeTest[] = [];
    for (;;) {
      if (this.take(/^#/) !== undefined) id = this.name();
      else if (this.take(/^\./) !== undefined) classes.push(this.name());
      else if (this.rest.startsWith('[')) attributes.push(this.attribute());
      else break;
    }
    if (this.rest === before) throw this.unknown();
    return {
      tag: tag === undefined || tag === '*' ? null : tag.toLowerCase(),
      id,
      classes,
      attributes,
    };
  }

  private name(): string {
    const name = this.take(NAME);
    if (name === undefined) throw this.unknown();
    return unescaped(name);
  }

  private attribute(): AttributeTest {
    const found = ATTRIBUTE.exec(this.rest);
    if (found === null) throw this.unknown();
    this.rest = this.rest.slice(found[0].length);
    const [, name = '', operator, double, single, bare, flag] = found;
    return {
      name: unescaped(name).toLowerCase(),
      operator: (operator ?? 'exists') as AttributeOperator,
      value: unescaped(double ?? single ?? bare ?? ''),
      ignoresCase: flag?.toLowerCase() === 'i',
    };
  }

  private take(form: RegExp): string | undefined {
    const found = form.exec(this.rest)?.[0];
    if (found !== undefined) this.rest = this.rest.slice(found.length);
    return found;
  }

  private unknown(): PatternProblem {
    const at = this.rest.slice(0, 20);
    return new PatternProblem(at === '' ? 'ends too early' : `is not supported at '${at}'`);
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}
