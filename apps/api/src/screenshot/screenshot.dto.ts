import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, ChoiceField, IntegerField, TextField, UrlField } from '../http/fields.js';

const MAX_WAIT_MS = 60_000;
const MIN_WIDTH_PX = 100;
const MAX_WIDTH_PX = 3_840;
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
    description: 'Width of the viewport in pixels.',
    min: MIN_WIDTH_PX,
    max: MAX_WIDTH_PX,
    fallback: 1_280,
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
  @ApiProperty({ type: 'integer', description: 'Pixels.' })
  width: number;
  @ApiProperty({ type: 'integer', description: 'Pixels.' })
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
