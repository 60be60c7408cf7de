import type { LongText } from '../literals/windows.js';
import { type Cuts, firstBytes, lastBytes, SCAN_CAPS } from './cut-text.js';

/** What is read of a page's source. */
export interface HtmlSample {
  /** The source that patterns run on: all of it, or its first and its last part. */
  readonly texts: readonly LongText[];
  /** The source that tags are read from. */
  readonly tagged: string;
  /** Bytes of UTF-8 that are read for either. */
  readonly scannedBytes: number;
}

/** Cuts a page to what is read of it. Bytes are those of UTF-8, KB and MB of 1,024. */
export function sampleHtml(html: string, cuts: Cuts): HtmlSample {
  const { sampleHeadBytes, sampleTailBytes, tagScanBytes } = SCAN_CAPS;
  const totalBytes = Buffer.byteLength(html);
  if (totalBytes <= sampleHeadBytes + sampleTailBytes)
    return {
      texts: [{ text: html, isStart: true, isEnd: true }],
      tagged: html,
      scannedBytes: totalBytes,
    };
  cuts.add('html_cap');
  const texts = [
    { text: firstBytes(html, sampleHeadBytes), isStart: true, isEnd: false },
    { text: lastBytes(html, sampleTailBytes), isStart: false, isEnd: true },
  ];
  if (totalBytes <= tagScanBytes) return { texts, tagged: html, scannedBytes: totalBytes };
  cuts.add('tag_scan_cap');
  return {
    texts,
    tagged: firstBytes(html, tagScanBytes),
    scannedBytes: Math.min(totalBytes, tagScanBytes + sampleTailBytes),
  };
}
