/** Shorter names mean other things, unless code looks up an element by them. */
const MIN_NAME_CHARS = 3;
const MAX_NAME_CHARS = 100;
const MAX_CLASS_CHARS = 300;
/** Occurrences of a name in one script that are examined. */
const MAX_FINDS = 200;
const MAX_CLASSES = 5;

/** Code that puts something into an element. */
const WRITES =
  /\b(?:inner|outer)HTML\b|\btextContent\b|\binnerText\b|insertAdjacent|\.append(?:Child)?\(|\.prepend\(|replaceChildren|\.(?:html|text|load|render|mount|datatable|bootstrapTable)\(|createRoot|createApp|\bhydrate|\bnew (?:Vue|Tabulator|DataTable|Grid)\b|\.tmpl\(|Mustache|Handlebars/i;

/** What is before a quoted name that is an element's. */
const LOOKS_UP =
  /(?:ById|\ball|ByClassName|querySelector(?:All)?|\$|jQuery|byId|\bel|element|target|container|selector|root|mount|render|load|createRoot|hydrate|DataTable|Tabulator|ajax)\s*[(:=,]\s*(?:[\w.[\]{}:'"/ ]{0,60},\s*)?$/i;

const IN_SELECTOR = /["'`][\w\s#.>+~,:-]{0,60}$/;

/** Whether one of a page's inline scripts that write names an element, by its id or one of its classes. */
export class NamedElements {
  private readonly codes: readonly string[];

  constructor(codes: readonly string[]) {
    this.codes = codes.filter((code) => WRITES.test(code));
  }

  get areWritten(): boolean {
    return this.codes.length > 0;
  }

  hasId(id: string): boolean {
    return this.has(id, isNamedById);
  }

  /** @param classes the value of the attribute */
  hasClass(classes: string): boolean {
    if (classes === '' || !this.areWritten) return false;
    const names = classes.slice(0, MAX_CLASS_CHARS).split(/\s+/, MAX_CLASSES);
    return names.some((name) => name.length >= MIN_NAME_CHARS && this.has(name, isNamedByClass));
  }

  private has(name: string, isNamed: (code: string, at: number, name: string) => boolean): boolean {
    if (name === '' || name.length > MAX_NAME_CHARS) return false;
    return this.codes.some((code) => occursIn(code, name, isNamed));
  }
}

function occursIn(
  code: string,
  name: string,
  isNamed: (code: string, at: number, name: string) => boolean,
): boolean {
  let at = code.indexOf(name);
  for (let finds = 0; at !== -1 && finds < MAX_FINDS; finds++) {
    const isWord = !isWordAt(code, at - 1) && !isWordAt(code, at + name.length);
    if (isWord && isNamed(code, at, name)) return true;
    at = code.indexOf(name, at + name.length);
  }
  return false;
}

const isWordAt = (code: string, at: number): boolean => /[\w-]/.test(code.charAt(at));

function isNamedById(code: string, at: number, name: string): boolean {
  const before = code.charAt(at - 1);
  if (before === '#') return IN_SELECTOR.test(code.slice(Math.max(0, at - 62), at - 1));
  if (/["'`]/.test(before)) return LOOKS_UP.test(code.slice(Math.max(0, at - 100), at - 1));
  if (name.length < MIN_NAME_CHARS) return false;
  const after = code.slice(at + name.length, at + name.length + 30);
  return /^\s*\.(?:inner|outer|text|insert|append|replace)/.test(after);
}

function isNamedByClass(code: string, at: number): boolean {
  const before = code.charAt(at - 1);
  if (before === '.') return IN_SELECTOR.test(code.slice(Math.max(0, at - 62), at - 1));
  return (
    /["'`]/.test(before) && /ByClassName\s*\(\s*$/.test(code.slice(Math.max(0, at - 40), at - 1))
  );
}
