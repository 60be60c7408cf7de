import { AttributeAction, type AttributeSelector } from 'css-what';
import type { PageElement } from '../page/page-element.js';
import type { ChildChain, Compound, DomSelector } from './selector.js';

/**
 * Whether the selector means this element. Each chain is looked for as near as it can be, which never keeps
 * a further one from being found: the time is linear in the depth.
 */
export function matchesSelector(
  selector: DomSelector,
  element: PageElement,
  ancestors: readonly PageElement[],
): boolean {
  const [innermost, ...outer] = selector;
  if (innermost === undefined || !matchesChain(innermost, element, ancestors, ancestors.length))
    return false;
  let above = ancestors.length - innermost.length + 1;
  for (const chain of outer) {
    let at = above - 1;
    while (at >= 0 && !isChainAt(chain, ancestors, at)) at--;
    if (at < 0) return false;
    above = at - chain.length + 1;
  }
  return true;
}

function isChainAt(chain: ChildChain, ancestors: readonly PageElement[], at: number): boolean {
  const element = ancestors[at];
  return element !== undefined && matchesChain(chain, element, ancestors, at);
}

/** `depth`: how many of `ancestors` are above the element. */
function matchesChain(
  chain: ChildChain,
  element: PageElement,
  ancestors: readonly PageElement[],
  depth: number,
): boolean {
  return chain.every((compound, up) => {
    const one = up === 0 ? element : ancestors[depth - up];
    return one !== undefined && matchesCompound(compound, one);
  });
}

function matchesCompound(
  { tag, id, classes, attributes }: Compound,
  element: PageElement,
): boolean {
  return (
    (tag === null || tag === element.name) &&
    (id === null || id === element.get('id')) &&
    classes.every((name) => element.classes.has(name)) &&
    attributes.every((test) => matchesAttribute(test, element.get(test.name)))
  );
}

function matchesAttribute(test: Readonly<AttributeSelector>, found: string | undefined): boolean {
  if (found === undefined) return false;
  const value = test.ignoreCase === true ? found.toLowerCase() : found;
  const sought = test.ignoreCase === true ? test.value.toLowerCase() : test.value;
  switch (test.action) {
    case AttributeAction.Exists:
      return true;
    case AttributeAction.Equals:
      return value === sought;
    case AttributeAction.Start:
      return sought !== '' && value.startsWith(sought);
    case AttributeAction.End:
      return sought !== '' && value.endsWith(sought);
    case AttributeAction.Any:
      return sought !== '' && value.includes(sought);
    case AttributeAction.Element:
      return value.split(/[\t\n\f\r ]+/).includes(sought);
    case AttributeAction.Hyphen:
      return value === sought || value.startsWith(`${sought}-`);
    case AttributeAction.Not:
      return value !== sought;
  }
}
