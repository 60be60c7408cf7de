/** A flag that is a whole number of `min` or more; throws with the rule otherwise. */
export function wholeFlag(name: string, text: string, min: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= min) return number;
  throw new Error(`--${name} must be a whole number from ${min}, not '${text}'`);
}
