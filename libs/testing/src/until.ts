export interface UntilOptions {
  /** @default 60000 */
  readonly timeoutMs?: number;
  /** Pause between two looks. @default 20 */
  readonly intervalMs?: number;
  /** What is awaited, as it should read in the failure: "the job to complete". */
  readonly what?: string;
}

type Falsy = false | null | undefined | 0 | 0n | '';

type Look<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'pending' };

/**
 * Resolves with the condition's first truthy value. A condition that throws counts as "not yet".
 * Rejects after `timeoutMs`, naming what was awaited and the last value or error; a condition that
 * never settles is cut off too.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 20, what = 'the condition' }: UntilOptions = {},
): Promise<Exclude<T, Falsy>> {
  const endsAtMs = performance.now() + timeoutMs;
  let last: Look<T> = { kind: 'pending' };
  for (;;) {
    const look: Look<T> = await lookOnce(condition, Math.max(1, endsAtMs - performance.now()));
    if (look.kind === 'value' && look.value) return look.value as Exclude<T, Falsy>;
    if (look.kind !== 'pending') last = look;
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0) throw gaveUp(what, timeoutMs, last);
    await pause(Math.min(intervalMs, leftMs));
  }
}

/** Resolves after `ms`. Only for code that makes time pass (slow pages, polling); tests use `until`. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function lookOnce<T>(condition: () => T | Promise<T>, limitMs: number): Promise<Look<T>> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<Look<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'pending' }), limitMs);
  });
  try {
    return await Promise.race([settle(condition), cut]);
  } finally {
    clearTimeout(timer);
  }
}

async function settle<T>(condition: () => T | Promise<T>): Promise<Look<T>> {
  try {
    return { kind: 'value', value: await condition() };
  } catch (error) {
    return { kind: 'error', error };
  }
}

function gaveUp<T>(what: string, timeoutMs: number, last: Look<T>): Error {
  const head = `Gave up waiting for ${what} after ${timeoutMs} ms`;
  switch (last.kind) {
    case 'value':
      return new Error(`${head}; last value: ${describe(last.value)}`);
    case 'error':
      return new Error(`${head}; last error: ${String(last.error)}`, { cause: last.error });
    case 'pending':
      return new Error(`${head}; the condition never settled`);
  }
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value).slice(0, 500);
  return typeof value === 'string' ? `'${value.slice(0, 500)}'` : String(value);
}
