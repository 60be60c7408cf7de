/** A start tag with its attributes, as the page writes them. Names are in lower case. */
export class PageElement {
  private classSet: ReadonlySet<string> | undefined;

  constructor(
    readonly name: string,
    readonly attributes: ReadonlyMap<string, string>,
    /** Position after the tag in the source. */
    readonly end: number,
  ) {}

  get(attribute: string): string | undefined {
    return this.attributes.get(attribute);
  }

  /** Each once, so that a class written a million times is met once. */
  get classes(): ReadonlySet<string> {
    return (this.classSet ??= new Set(
      (this.get('class') ?? '').split(/[\t\n\f\r ]+/).filter(Boolean),
    ));
  }
}
