/**
 * The indexes jis0208 and jis0212 of the Encoding standard (5), code points by pointer, 0: none.
 * Taken from Node's decoders, which know every character and only mistake what is none.
 */
export function jis0208(): Uint16Array {
  return (known0208 ??= indexOf('shift_jis', 11_280, (pointer) => {
    const [row, cell] = [Math.floor(pointer / 188), pointer % 188];
    return [row + (row < 0x1f ? 0x81 : 0xc1), cell + (cell < 0x3f ? 0x40 : 0x41)];
  }));
}

export function jis0212(): Uint16Array {
  return (known0212 ??= indexOf('euc-jp', 94 * 94, (pointer) => [
    0x8f,
    Math.floor(pointer / 94) + 0xa1,
    (pointer % 94) + 0xa1,
  ]));
}

let known0208: Uint16Array | undefined;
let known0212: Uint16Array | undefined;

/** Made when the first page of its kind comes: a few milliseconds, 20 kB. */
function indexOf(
  encoding: string,
  length: number,
  bytesOf: (pointer: number) => readonly number[],
): Uint16Array {
  const index = new Uint16Array(length);
  const decoder = new TextDecoder(encoding);
  for (let pointer = 0; pointer < length; pointer++) {
    const text = decoder.decode(Uint8Array.from(bytesOf(pointer)));
    if (text.length === 1 && !NO_CHARACTER.test(text)) index[pointer] = text.charCodeAt(0);
  }
  return index;
}

/** Private characters are Node's way to say "none". */
const NO_CHARACTER = /[\ue000-\uf8ff\ufffd]/;
