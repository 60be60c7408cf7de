declare const window: object;

/**
 * Which of the names are globals of the page's own. An element's `id` is a global too, but none of the
 * window's own properties.
 *
 * Runs in the page's own world, sent as source: it refers to nothing outside itself, and uses of the
 * language only what no page can redefine, but for the one question it asks.
 */
export class GlobalNames {
  constructor(private readonly names: readonly string[]) {}

  run(): object {
    const found: { __proto__: null; [name: string]: unknown } = { __proto__: null };
    const { names } = this;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      if (Object.prototype.hasOwnProperty.call(window, name)) found[name] = 1;
    }
    return found;
  }
}
