import { imageSize } from './screenshot.js';

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000005000000032008060000000000000000',
  'hex',
);
const app0 = 'ffe000104a46494600010100000100010000';
const frame = (marker: string): string => `ff${marker}0011080320050003012200021101031101`;
const jpeg = (...segments: string[]): Buffer => Buffer.from(`ffd8${segments.join('')}`, 'hex');

describe('imageSize', () => {
  it.each([
    ['a PNG', png],
    ['a baseline JPEG', jpeg(app0, frame('c0'))],
    ['a progressive JPEG after a table', jpeg(app0, 'ffc400040000', frame('c2'))],
  ])('reads %s', (_name, bytes) => {
    expect(imageSize(bytes)).toEqual({ widthPx: 1280, heightPx: 800 });
  });

  it('reads a view into a larger buffer', () => {
    const all = Buffer.concat([Buffer.alloc(7), png]);
    expect(imageSize(new Uint8Array(all.buffer, all.byteOffset + 7, png.length))).toEqual({
      widthPx: 1280,
      heightPx: 800,
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a PNG that is cut', png.subarray(0, 20)],
    ['a JPEG without a frame', jpeg(app0, 'ffda')],
    ['a JPEG with a segment that leads past its end', jpeg('ffe0ffff', frame('c0'))],
    ['a GIF', Buffer.from('GIF89a and more than twenty-four bytes')],
  ])('is null for %s', (_name, bytes) => {
    expect(imageSize(bytes)).toBeNull();
  });
});
