import { Element, isText } from 'domhandler';
import { collapse, textOf, walk } from '../dom/walk.js';
import { texOfMathml } from './mathml-tex.js';

/** A formula in TeX; `isBlock`: it is on lines of its own. */
export interface Formula {
  readonly tex: string;
  readonly isBlock: boolean;
}

/** More is no formula. */
const MAX_TEX_CHARS = 10_000;

/**
 * A formula's TeX: the source that KaTeX, MathJax, MediaWiki and LaTeXML leave in an annotation or
 * in `alttext`, else MathML rewritten. Undefined for an empty one.
 */
export function formulaOf(math: Element): Formula | undefined {
  const source = annotationOf(math) ?? math.attribs.alttext;
  const tex = tidyTex(source ?? texOfMathml(math));
  if (tex === '' || tex.length > MAX_TEX_CHARS) return undefined;
  return { tex, isBlock: isDisplayed(math) };
}

function annotationOf(math: Element): string | undefined {
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
  const tex = annotation === undefined ? '' : collapse(textOf(annotation, MAX_TEX_CHARS + 1));
  return tex === '' ? undefined : tex;
}

/** MediaWiki wraps every source in a style; the dollar signs say the same. */
const STYLED = /^\{\\(?:display|text)style\s([\s\S]*)\}$/;

const tidyTex = (tex: string): string => {
  const trimmed = collapse(tex);
  return (STYLED.exec(trimmed)?.[1] ?? trimmed).trim();
};

const WRAPPER_LEVELS = 4;

function isDisplayed(math: Element): boolean {
  if (math.attribs.display === 'block' || math.attribs.mode === 'display') return true;
  let wrapper = math.parent;
  for (let level = 0; level < WRAPPER_LEVELS && wrapper instanceof Element; level++) {
    const { attribs, name } = wrapper;
    if (
      /(?:^|\s)(?:katex-display|MathJax_Display|mwe-math-element-block)(?:\s|$)/.test(
        attribs.class ?? '',
      )
    )
      return true;
    if (name === 'mjx-container') return attribs.display === 'true';
    wrapper = wrapper.parent;
  }
  return false;
}

/**
 * The formula of an element that is itself not shown: the source beside which MathJax 2 puts what
 * it draws, and the picture that MediaWiki shows while its MathML is hidden.
 */
export function unseenFormulaOf(element: Element): Formula | undefined {
  const { name, attribs } = element;
  if (name === 'script' && attribs.type?.startsWith('math/tex')) {
    const tex = tidyTex(sourceOf(element));
    return tex === '' ? undefined : { tex, isBlock: attribs.type.includes('mode=display') };
  }
  const fallback = /(?:^|\s)mwe-math-fallback-image-(inline|display)/.exec(attribs.class ?? '');
  if (name !== 'img' || fallback === null) return undefined;
  const tex = tidyTex(attribs.alt ?? '');
  return tex === '' ? undefined : { tex, isBlock: fallback[1] === 'display' };
}

function sourceOf(script: Element): string {
  return script.children.map((child) => (isText(child) ? child.data : '')).join('');
}

/** What MathJax 2 draws of the source that follows it, and the text it shows until then. */
export function isDrawnFormula({ attribs, next }: Element): boolean {
  if (attribs.class?.includes('MathJax') !== true) return false;
  if (!/(?:^|\s)MathJax(?:_Preview|_Display|_SVG|_CHTML)?(?:\s|$)/.test(attribs.class))
    return false;
  let sibling = next;
  for (let steps = 0; steps < 2 && sibling instanceof Element; steps++) {
    if (sibling.name === 'script' && sibling.attribs.type?.startsWith('math/tex')) return true;
    sibling = sibling.next;
  }
  return false;
}
