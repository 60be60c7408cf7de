/** A selector, and the attribute whose value counts; null: the text of the element. */
export interface PartSelector {
  readonly selector: string;
  readonly attribute: string | null;
}

/** Splits `selector@attribute`. */
export function selectorOfPart(text: string): PartSelector {
  const at = /^(.*?)@([\w-]{1,64})$/.exec(text);
  return at?.[1] === undefined || at[2] === undefined
    ? { selector: text, attribute: null }
    : { selector: at[1], attribute: at[2].toLowerCase() };
}
