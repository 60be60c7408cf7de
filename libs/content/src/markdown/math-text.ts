import { type Element } from 'domhandler';
import { collapse, textOf, walk } from '../dom/walk.js';

/** TeX source that MathJax, KaTeX and MediaWiki leave in an annotation, between dollar signs. */
export function formulaOf(math: Element): string | undefined {
  let annotation: Element | undefined;
  walk(math, {
    text: () => undefined,
    enter(element) {
      if (element.name === 'annotation' && /tex/i.test(element.attribs.encoding ?? '')) {
        annotation = element;
      }
      return true;
    },
    isDone: () => annotation !== undefined,
  });
  const tex = annotation === undefined ? '' : collapse(textOf(annotation));
  return tex === '' ? undefined : `$${tex}$`;
}
