/** Fields of a form, nested by the brackets of their names: `items[0][price]=p` is a list of objects. */
export type FormFields = { readonly [name: string]: FormValue };
export type FormValue = string | FormFields | readonly FormValue[];

interface Branch {
  [name: string]: Branch | string;
}

/** Reads application/x-www-form-urlencoded as Stripe's API does. Throws on a name that fits nowhere. */
export function parseForm(text: string): FormFields {
  const root: Branch = {};
  for (const [name, value] of new URLSearchParams(text)) plant(root, pathOf(name), value);
  return listsIn(root) as FormFields;
}

function pathOf(name: string): readonly string[] {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (first === undefined) throw new Error(`unreadable field ${name}`);
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)];
}

function plant(root: Branch, path: readonly string[], value: string): void {
  let at = root;
  for (const part of path.slice(0, -1)) {
    const next = (at[part] ??= {});
    if (typeof next === 'string') throw new Error(`field ${path.join('.')} is a text already`);
    at = next;
  }
  at[path.at(-1) ?? ''] = value;
}

/** Objects whose names are 0, 1, 2… are lists. */
function listsIn(value: Branch | string): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listsIn(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Text of a field, or undefined where it is missing or no text. */
export function formText(
  fields: FormFields,
  ...path: readonly (string | number)[]
): string | undefined {
  let at: FormValue | undefined = fields;
  for (const part of path) {
    if (typeof at !== 'object') return undefined;
    at = (at as Readonly<Record<string, FormValue>>)[String(part)];
  }
  return typeof at === 'string' ? at : undefined;
}
