/** Maximum number of actions of a request. */
export const MAX_ACTIONS = 50;
/** Maximum of all `wait` actions of a request together, in milliseconds. */
export const MAX_ACTIONS_WAIT_MS = 60_000;
/** Maximum of one `scroll`, in pixels. */
export const MAX_SCROLL_PX = 100_000;
/** A `scroll` without an amount: a little more than one screen. */
export const DEFAULT_SCROLL_PX = 1_000;
/** Longest `script` of an action (specification: Request-shape limits). Every script is refused; a longer one with another error. */
export const MAX_SCRIPT_CHARS = 20_000;
