import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, ChoiceField, IntegerField, TextField, UrlField } from '../http/fields.js';

const MAX_WAIT_MS = 60_000;
const MIN_WIDTH_PX = 100;
const MAX_WIDTH_PX = 3_840;
export const DEFAULT_WIDTH_PX = 1_280;
/** A phone in the hand. */
export const MOBILE_WIDTH_PX = 390;
/** A phone has more than two pixels per CSS pixel: the picture is as wide as the widest of a desktop. */
export const MAX_MOBILE_WIDTH_PX = 1_280;
const MAX_COOKIES_CHARS = 65_536;
const MAX_ELEMENT_CHARS = 1_000;

/** Body of POST /v1/screenshot. */
export class ScreenshotRequest {
  @UrlField({
    required: true,
    description: 'Page to show, http:// or https://.',
    example: 'https://example.com/',
  })
  url: string;

  @BooleanField({ description: 'The whole page, not only the viewport.', fallback: true })
  fullPage?: boolean;

  @IntegerField({
    description: `Width of the viewport in CSS pixels: ${DEFAULT_WIDTH_PX} unless it is given, with \`mobile\` ${MOBILE_WIDTH_PX}. With \`mobile\` at most ${MAX_MOBILE_WIDTH_PX}.`,
    min: MIN_WIDTH_PX,
    max: MAX_WIDTH_PX,
  })
  width?: number;

  @BooleanField({ description: 'Emulates a phone: viewport, touch, user agent.', fallback: false })
  mobile?: boolean;

  @IntegerField({
    description: 'Milliseconds to wait after DOM content was loaded.',
    min: 0,
    max: MAX_WAIT_MS,
    fallback: 1_000,
  })
  waitFor?: number;

  @TextField({
    description: 'JSON array text of cookie objects with name, value, domain.',
    maxChars: MAX_COOKIES_CHARS,
    example: '[{"name":"session","value":"abc","domain":"example.com"}]',
  })
  cookies?: string;

  @TextField({
    description: 'CSS selector: only the first element it matches is shown.',
    maxChars: MAX_ELEMENT_CHARS,
    example: 'main',
  })
  element?: string;

  @ChoiceField({ description: 'Format of the image.', choices: ['png', 'jpeg'], fallback: 'png' })
  format?: 'png' | 'jpeg';
}

/** Screenshot result. */
export class ScreenshotResult {
  @ApiProperty({ format: 'uri', description: 'Address after redirects.' })
  url: string;
  @ApiProperty({
    type: 'integer',
    description:
      'Pixels of the picture: those of the viewport, and with `mobile` more than two for each of them.',
  })
  width: number;
  @ApiProperty({ type: 'integer', description: 'Pixels of the picture.' })
  height: number;
  @ApiPropertyOptional({
    description: 'True when the page is taller than a picture may be: its lower part is missing.',
  })
  clipped?: boolean;
  @ApiProperty({ enum: ['png', 'jpeg'] })
  format: string;
  @ApiProperty({ type: 'integer' })
  latencyMs: number;
  @ApiProperty({ type: 'integer', description: 'Screenshots per day on this plan.' })
  dailyLimit: number;
  @ApiPropertyOptional({ description: 'Signed address, when object storage is configured.' })
  imageUrl?: string;
  @ApiPropertyOptional({ description: 'The image, otherwise.' })
  base64?: string;
}
