// Neither package ships types; these are the few calls the crawlee contender makes.
declare module 'turndown' {
  export default class TurndownService {
    constructor(options?: Readonly<Record<string, string>>);
    use(plugin: unknown): this;
    remove(tags: readonly string[]): this;
    turndown(html: string): string;
  }
}

declare module 'turndown-plugin-gfm' {
  const plugins: { readonly gfm: unknown };
  export default plugins;
}
