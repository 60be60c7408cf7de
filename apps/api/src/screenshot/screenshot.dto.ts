import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, ChoiceField, IntegerField, TextField, UrlField } from '../http/fields.js';

const MAX_WAIT_MS = 60_000;
const MIN_WIDTH_PX = 100;
const MAX_WIDTH_PX = 3_840;
export const DEFAULT_WIDTH_PX = 1_280;
/** Width of a phone held upright. */
export const MOBILE_WIDTH_PX = 390;
/** A phone has more than two pixels per CSS pixel: the image is as wide as that of the widest desktop. */
export const MAX_MOBILE_WIDTH_PX = 1_280;
const MAX_COOKIES_CHARS = 65_536;
const MAX_ELEMENT_CHARS = 1_000;

/** Body of POST /v1/screenshot. */
export class ScreenshotRequest {
  @UrlField({
    required: true,
    description: 'Page to capture, http:// or https://.',
    example: 'https://example.com/',
  })
  url: string;

  @BooleanField({ description: 'Capture the whole page, not only the viewport.', fallback: true })
  fullPage?: boolean;

  @IntegerField({
    description: `Width of the viewport in CSS pixels: ${DEFAULT_WIDTH_PX} by default, ${MOBILE_WIDTH_PX} with \`mobile\`. At most ${MAX_MOBILE_WIDTH_PX} with \`mobile\`.`,
    min: MIN_WIDTH_PX,
    max: MAX_WIDTH_PX,
  })
  width?: number;

  @BooleanField({
    description:
      'Scroll through the page before the whole of it or an element is captured, so that what appears on scrolling is there. At most 20 screens and 8 seconds.',
    fallback: true,
  })
  scroll?: boolean;

  @BooleanField({ description: 'Emulate a phone: viewport, touch, user agent.', fallback: false })
  mobile?: boolean;

  @IntegerField({
    description: 'Milliseconds to wait after the DOM content was loaded.',
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
    description: 'CSS selector: capture only the first matching element.',
    maxChars: MAX_ELEMENT_CHARS,
    example: 'main',
  })
  element?: string;

  @ChoiceField({ description: 'Format of the image.', choices: ['png', 'jpeg'], fallback: 'png' })
  format?: 'png' | 'jpeg';
}

/** Screenshot result. */
export class ScreenshotResult {
  @ApiProperty({ format: 'uri', description: 'URL after redirects.' })
  url: string;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Status of the site: the picture may be that of an error page.',
  })
  statusCode?: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Width of the image in pixels: that of the viewport; with `mobile`, more than two pixels per CSS pixel.',
  })
  width: number;
  @ApiProperty({ type: 'integer', description: 'Height of the image in pixels.' })
  height: number;
  @ApiPropertyOptional({
    description: 'True if the page exceeds the maximum image height: its lower part is missing.',
  })
  clipped?: boolean;
  @ApiProperty({ enum: ['png', 'jpeg'] })
  format: string;
  @ApiProperty({ type: 'integer' })
  latencyMs: number;
  @ApiProperty({ type: 'integer', description: 'Screenshots per day on this plan.' })
  dailyLimit: number;
  @ApiPropertyOptional({ description: 'Signed URL, if object storage is configured.' })
  imageUrl?: string;
  @ApiPropertyOptional({ description: 'The image, otherwise.' })
  base64?: string;
}
