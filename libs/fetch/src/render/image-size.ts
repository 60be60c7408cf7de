export interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Size of a PNG or JPEG, from its bytes. Null: it is neither. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength >= 24 && view.getUint32(0) === PNG_SIGNATURE) {
    return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
  }
  return view.byteLength > 4 && view.getUint16(0) === JPEG_START ? jpegSize(view) : null;
}

const PNG_SIGNATURE = 0x89504e47;
const JPEG_START = 0xffd8;

/** ITU T.81 annex B: segments of a marker and a length, until a start-of-frame holds the size. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { heightPx: view.getUint16(at + 5), widthPx: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
