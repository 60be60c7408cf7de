import { type Element } from 'domhandler';
import { plainAddresses, tidyHost } from './plain-address.js';

/** Addresses that attributes hold in a form for scripts, in document order of the attributes. */
export function encodedAddresses({ attribs }: Element): readonly string[] {
  const texts = [
    cloudflareAddress(attribs['data-cfemail']),
    typo3Address(attribs['data-mailto-token']),
    inParts(attribs),
    ...WHOLE.map((name) => wholeAddress(attribs[name])),
  ];
  return texts.flatMap((text) =>
    text === undefined ? [] : plainAddresses(text, 5).map(({ address }) => address),
  );
}

const WHOLE = [
  'data-email',
  'data-e-mail',
  'data-mail',
  'data-mailto',
  'data-enc-email',
  'data-contact',
];
const MAX_CHARS = 500;

/**
 * Cloudflare's form: hexadecimal pairs, of which the first is the key that all others are
 * exclusive-ored with.
 */
export function cloudflareAddress(hex: string | undefined): string | undefined {
  if (hex === undefined || hex.length > MAX_CHARS || !/^(?:[\da-f]{2}){4,}$/i.test(hex))
    return undefined;
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const [key = 0] = bytes;
  const text = new TextDecoder().decode(bytes.subarray(1).map((byte) => byte ^ key));
  return text.includes('@') ? text : undefined;
}

/** Ranges that TYPO3 turns letters in, each in itself. */
const TURNED = [
  [0x2b, 0x3a],
  [0x40, 0x5a],
  [0x61, 0x7a],
] as const;
const MAX_TURN = 26;

/** `linkTo_UnCryptMailto` of TYPO3: letters rotated by a number that is not in the link. */
export function typo3Address(token: string | undefined): string | undefined {
  if (token === undefined || token.length > MAX_CHARS) return undefined;
  for (let turn = -MAX_TURN; turn <= MAX_TURN; turn++) {
    const text = turnedBy(token, turn);
    if (text.startsWith('mailto:')) return text.slice('mailto:'.length);
  }
  return undefined;
}

const turnedBy = (text: string, turn: number): string =>
  text.replace(/[\x21-\x7e]/g, (letter) => {
    const code = letter.charCodeAt(0);
    const range = TURNED.find(([low, high]) => code >= low && code <= high);
    if (range === undefined) return letter;
    const [low, high] = range;
    const size = high - low + 1;
    return String.fromCharCode(low + ((((code - low + turn) % size) + size) % size));
  });

/** User and host in attributes of their own, put together by a script. */
function inParts(attribs: Readonly<Record<string, string>>): string | undefined {
  const of = (names: readonly string[]): string =>
    names.map((name) => attribs[`data-${name}`]?.trim()).find((value) => value) ?? '';
  const user = of(['user', 'username', 'local', 'mailbox', 'name', 'u', 'part1']);
  const host = of(['domain', 'host', 'website', 'd', 'part2']);
  const top = of(['tld', 'part3']).replace(/^\./, '');
  if (user === '' || host === '' || !/^[\w.+-]{1,64}$/.test(user)) return undefined;
  const whole = tidyHost(top === '' ? host : `${host}.${top}`);
  return whole === undefined ? undefined : `${user}@${whole}`;
}

/** An address in one attribute: plain, backwards or in base64. */
function wholeAddress(value: string | undefined): string | undefined {
  if (value === undefined || value.length > MAX_CHARS) return undefined;
  const text = value.trim();
  if (text.includes('@')) return isBackwards(text) ? reversed(text) : text;
  if (!/^[A-Za-z\d+/]{8,}={0,2}$/.test(text)) return undefined;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return /^[\x20-\x7e]+$/.test(plain) && plain.includes('@') ? plain : undefined;
}

export const reversed = (text: string): string => [...text].reverse().join('');

/** Whether a text only makes an address when it is read from its end: `moc.emca@ofni`. */
const isBackwards = (text: string): boolean => /^(?:moc|gro|ten|ed|ku|rf|ue|oi)\./i.test(text);
