import type { PageDom } from './page-dom.js';

interface Animated {
  getAnimations?(): readonly { finish(): void }[];
}

/** Puts running transitions and animations at their end; those without one go on. Returns how many. */
export class AnimationEnder {
  private readonly most = 10_000;

  constructor(
    _: null,
    private readonly dom: PageDom,
  ) {}

  run(): number {
    const all = (this.dom.document as unknown as Animated).getAnimations?.() ?? [];
    let ended = 0;
    for (const animation of all.slice(0, this.most)) {
      try {
        animation.finish();
        ended++;
      } catch {
        // It has no end.
      }
    }
    return ended;
  }
}
