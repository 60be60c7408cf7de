/** A link of a Link header (RFC 8288). */
export interface HeaderLink {
  readonly target: string;
  /** In lower case. */
  readonly relations: ReadonlySet<string>;
  /** Media type in lower case, without parameters; empty without one. */
  readonly type: string;
}

/** Bounds of one header: longer ones are cut. */
const MAX_HEADER_CHARS = 16_000;
const MAX_HEADER_LINKS = 100;
/** Every repetition is of a class that its end is not in: nothing is read twice. */
const TARGET = /<([^<>]*)>/g;
const PARAMETER = /\s*;\s*([^\s=;,"<]*)\s*(?:=\s*(?:"([^"]*)"|([^\s;,"<]*)))?/y;

/** The links of a Link header, in order. */
export function headerLinks(header: string | undefined): readonly HeaderLink[] {
  const text = (header ?? '').slice(0, MAX_HEADER_CHARS);
  const links: HeaderLink[] = [];
  TARGET.lastIndex = 0;
  for (let found = TARGET.exec(text); found !== null; found = TARGET.exec(text)) {
    if (links.length === MAX_HEADER_LINKS) break;
    const { parameters, end } = parametersAt(text, TARGET.lastIndex);
    TARGET.lastIndex = end;
    links.push({
      target: found[1]?.trim() ?? '',
      relations: new Set((parameters.get('rel') ?? '').trim().toLowerCase().split(/\s+/)),
      type: (parameters.get('type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
    });
  }
  return links;
}

function parametersAt(
  text: string,
  start: number,
): { readonly parameters: ReadonlyMap<string, string>; readonly end: number } {
  const parameters = new Map<string, string>();
  let end = start;
  for (;;) {
    PARAMETER.lastIndex = end;
    const found = PARAMETER.exec(text);
    if (found === null) return { parameters, end };
    end = PARAMETER.lastIndex;
    const name = found[1]?.toLowerCase() ?? '';
    // The first of each name counts (RFC 8288 3.3).
    if (!parameters.has(name)) parameters.set(name, found[2] ?? found[3] ?? '');
  }
}
