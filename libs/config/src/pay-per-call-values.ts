/** More digits than any token has units. */
const UNITS = /^[1-9]\d{0,29}$/;

/** @throws Error with the rule */
export function parseUnits(text: string): bigint {
  if (!UNITS.test(text)) throw new Error('must be a whole number of units above 0');
  return BigInt(text);
}

/** CAIP-2: namespace and reference. @throws Error with the rule */
export function parseNetwork(text: string): string {
  if (!/^[a-z0-9-]{3,8}:[\w-]{1,32}$/.test(text)) {
    throw new Error('must be a network as CAIP-2 writes it, such as eip155:8453');
  }
  return text;
}

/** @throws Error with the rule */
export function parseAccount(text: string): string {
  if (!/^[\w:.-]{1,128}$/.test(text)) throw new Error('must be an address on that network');
  return text;
}

/** Goes into a header with the rest of the offer. */
const MAX_EXTRA_CHARS = 1_000;

/** A JSON object; empty text is an empty one. @throws Error with the rule */
export function parseOfferExtra(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  const value = text.length <= MAX_EXTRA_CHARS ? parsed(text) : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`must be a JSON object of at most ${MAX_EXTRA_CHARS} characters`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Said by the caller, as for any other text that is no object.
    return null;
  }
}

/** @throws Error with the rule */
export function parseFacilitatorUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || /[@?#]/.test(text)) {
    throw new Error('must be an http(s) address without user, query or fragment');
  }
  return text;
}
