import {
  AttributeAction,
  type AttributeSelector,
  isTraversal,
  parse,
  type Selector as Token,
  SelectorType,
} from 'css-what';
import { PatternProblem } from '../pattern/pattern-problem.js';

/** What one element has to be, such as `a.button[href^="/"]`. */
export interface Compound {
  /** Lower case; null for any. */
  readonly tag: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
  /** Names in lower case. */
  readonly attributes: readonly Readonly<AttributeSelector>[];
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
  // css-what reads `[a=]` as `[a=""]`.
  if (/=\s*\]/.test(text.replace(/"[^"]*"|'[^']*'/g, '""')))
    throw new PatternProblem('is not supported: it compares with nothing');
  const selectors = tokensOf(text);
  if (selectors.length === 0) throw new PatternProblem('ends too early');
  return selectors.map(selectorOf);
}

function tokensOf(text: string): readonly (readonly Token[])[] {
  try {
    return parse(text);
  } catch (error) {
    throw new PatternProblem(`is not supported: ${(error as Error).message}`);
  }
}

function selectorOf(tokens: readonly Token[]): DomSelector {
  const chains: Compound[][] = [[]];
  let start = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && !isTraversal(token)) continue;
    chains.at(-1)?.unshift(compoundOf(tokens.slice(start, at)));
    start = at + 1;
    if (token?.type === SelectorType.Descendant) chains.push([]);
    else if (token !== undefined && token.type !== SelectorType.Child) throw unsupported(token);
  }
  return chains.reverse();
}

function compoundOf(tokens: readonly Token[]): Compound {
  if (tokens.length === 0) throw new PatternProblem('ends too early');
  let tag: string | null = null;
  let id: string | null = null;
  const classes: string[] = [];
  const attributes: AttributeSelector[] = [];
  for (const token of tokens) {
    if ('namespace' in token && token.namespace !== null) throw unsupported(token);
    if (token.type === SelectorType.Tag) tag = token.name.toLowerCase();
    else if (isShort(token, 'id')) id = token.value;
    else if (isShort(token, 'class')) classes.push(token.value);
    else if (token.type === SelectorType.Attribute && token.action !== AttributeAction.Not)
      attributes.push({ ...token, name: token.name.toLowerCase() });
    else if (token.type !== SelectorType.Universal) throw unsupported(token);
  }
  return { tag, id, classes, attributes };
}

/** `#a` and `.a`: css-what returns them as attributes whose case depends on the page's mode. */
const isShort = (
  token: Token,
  name: string,
): token is AttributeSelector & { readonly ignoreCase: 'quirks' } =>
  token.type === SelectorType.Attribute && token.ignoreCase === 'quirks' && token.name === name;

function unsupported(token: Token): PatternProblem {
  const text = token.type === SelectorType.Pseudo ? `:${token.name}` : token.type;
  return new PatternProblem(`is not supported at '${text}'`);
}
