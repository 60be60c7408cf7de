/** Values by the name of their placeholder. A null value drops its parameter or field. */
export type TemplateFill = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{(\w+)\}/g;

/** Names in braces, known or not, as they occur in a text. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** Fills a URL template: values percent-encoded, a query parameter without its value left out. */
export function fillUrl(template: string, values: TemplateFill): string {
  const at = template.indexOf('?');
  if (at < 0) return fillText(template, values);
  const query = template
    .slice(at + 1)
    .split('&')
    .filter((part) => !placeholdersIn(part).some((name) => valueOf(values, name) === null))
    .map((part) => fillText(part, values));
  return `${fillText(template.slice(0, at), values)}?${query.join('&')}`;
}

/**
 * Fills a JSON template, where a placeholder is a whole string; the value keeps its own JSON type.
 */
export function fillJson(template: unknown, values: TemplateFill): unknown {
  if (typeof template === 'string') return fillString(template, values);
  if (Array.isArray(template)) {
    return template
      .filter((item) => !isDropped(item, values))
      .map((item) => fillJson(item, values));
  }
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .filter(([, item]) => !isDropped(item, values))
      .map(([name, item]) => [name, fillJson(item, values)]),
  );
}

/** The one placeholder a whole string is; null when it is a plain text. */
export function wholePlaceholder(text: string): string | null {
  return /^\{(\w+)\}$/.exec(text)?.[1] ?? null;
}

function fillString(text: string, values: TemplateFill): unknown {
  const name = wholePlaceholder(text);
  return name === null ? text : valueOf(values, name);
}

function isDropped(item: unknown, values: TemplateFill): boolean {
  return typeof item === 'string' && fillString(item, values) === null;
}

function fillText(text: string, values: TemplateFill): string {
  return text.replace(PLACEHOLDER, (_, name: string) =>
    encodeURIComponent(String(valueOf(values, name))),
  );
}

/** Unknown names are refused when the setting is read. */
function valueOf(values: TemplateFill, name: string): unknown {
  return values[name];
}
