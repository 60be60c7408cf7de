/**
 * Elements of Word's formulas. mammoth skips them with all they hold; as inserted text it reads
 * them. Parts above, below and under a bar are marked by signs, since the structure is lost.
 */
const MATH_TAG = /<(\/?)m:(\w{1,40})\b([^<>]{0,500}?)(\/?)>/g;

const SIGNS: Readonly<Record<string, string>> = { den: '/', sup: '^', sub: '_', deg: '√' };

/** The XML of a document with its formulas as text. Linear time. */
export function mathAsText(xml: string): string {
  if (!xml.includes('<m:')) return xml;
  return xml.replace(MATH_TAG, (_, closing: string, name: string, rest: string, empty: string) => {
    if (name === 'r' || name === 't') {
      const attributes = name === 't' && closing === '' ? ' xml:space="preserve"' : '';
      return `<${closing}w:${name}${attributes}${empty}>`;
    }
    const sign = closing === '' && empty === '' ? SIGNS[name] : undefined;
    const shown = sign === undefined ? operatorOf(name, rest) : sign;
    const run = shown === undefined ? '' : `<w:r><w:t>${shown}</w:t></w:r>`;
    return empty === '' ? `<${closing}w:ins>${run}` : run;
  });
}

/** Sums, integrals and brackets are named by attributes. */
function operatorOf(name: string, attributes: string): string | undefined {
  if (name !== 'chr' && name !== 'begChr' && name !== 'endChr') return undefined;
  return /m:val="([^"<>&]{1,4})"/.exec(attributes)?.[1];
}
