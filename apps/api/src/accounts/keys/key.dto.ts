import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import {
  DEFAULT_OVERLAP_SECONDS,
  KEY_ORIGINS,
  MAX_OVERLAP_SECONDS,
  EMAIL_PATTERN,
  MAX_EMAIL_CHARS,
} from '@app/accounts';
import { IntegerField, Storable } from '../../http/fields.js';

const MAX_LABEL_CHARS = 100;
/** Terminals interpret control characters. */
const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A label that a user gives to a key. */
function LabelField({ isRequired }: { readonly isRequired: boolean }): PropertyDecorator {
  const documented: ApiPropertyOptions = {
    type: String,
    minLength: 1,
    maxLength: MAX_LABEL_CHARS,
    pattern: PLAIN_TEXT,
    description: 'A label that identifies the key; no control characters.',
    example: 'production',
  };
  return applyDecorators(
    IsString({ message: '`$property` must be a string' }),
    MinLength(1, { message: '`$property` is empty' }),
    MaxLength(MAX_LABEL_CHARS, {
      message: `\`$property\` is longer than ${MAX_LABEL_CHARS} characters`,
    }),
    Matches(new RegExp(PLAIN_TEXT), { message: '`$property` holds control characters' }),
    Storable(),
    ...(isRequired
      ? [ApiProperty(documented)]
      : [IsOptional(), ApiPropertyOptional({ ...documented, nullable: true })]),
  );
}

/** Body of POST /v1/keys. */
export class NewKeyRequest {
  @LabelField({ isRequired: true })
  label: string;
}

/** Body of POST /v1/keys/:id/rotate; optional. */
export class RotateKeyRequest {
  @IntegerField({
    description: 'Seconds that the old key keeps working; 0: it ends at once.',
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    fallback: DEFAULT_OVERLAP_SECONDS,
  })
  overlapSeconds?: number | null;
}

/** Body of POST /v1/keys/provision; optional. */
export class ProvisionRequest {
  @LabelField({ isRequired: false })
  label?: string | null;

  @IsOptional()
  @IsString({ message: '`$property` must be a string' })
  @MaxLength(MAX_EMAIL_CHARS, {
    message: `\`$property\` is longer than ${MAX_EMAIL_CHARS} characters`,
  })
  @Matches(new RegExp(EMAIL_PATTERN), { message: '`$property` must be an e-mail address' })
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_EMAIL_CHARS,
    pattern: EMAIL_PATTERN,
    description: 'Contact address for the operator.',
    example: 'dev@example.com',
  })
  email?: string | null;
}

const API_KEY = {
  description: 'The API key. Shown only once: the service stores only its hash.',
  example: 'trawl_live_4f1c09ab77de_example0000000000000000000000000000000000000',
};

/** A key without the secret. */
export class KeyView {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'production' })
  label: string;
  @ApiProperty({ description: 'Its beginning.', example: 'trawl_live_4f1c…' })
  prefix: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'To the minute; null: never.',
  })
  lastUsedAt: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the key stops working, after a rotation. Null: no end is set.',
  })
  expiresAt: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt: string | null;
  @ApiProperty({
    enum: KEY_ORIGINS,
    description:
      'first: key of the first tenant; provisioned: from POST /v1/keys/provision; account: created by the account; admin: created by the operator.',
  })
  origin: string;
  @ApiProperty({ description: 'Whether this request used it.' })
  current: boolean;
}

/** Response of GET /v1/keys. */
export class KeyList {
  @ApiProperty({
    type: [KeyView],
    description: 'Newest first: every active key, and the last 100 that ended.',
  })
  keys: KeyView[];
}

/** Response of POST /v1/keys. */
export class NewKeyView extends KeyView {
  @ApiProperty(API_KEY)
  apiKey: string;
}

export class ReplacedKey {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'date-time', description: 'When the old key stops working.' })
  expiresAt: string;
}

/** Response of POST /v1/keys/:id/rotate: the new key. */
export class RotatedKeyView extends NewKeyView {
  @ApiProperty({ type: ReplacedKey, description: 'The old key.' })
  replaces: ReplacedKey;
}

/** Response of DELETE /v1/keys/:id. */
export class RevokedKeyView extends KeyView {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Set if you revoked the key of this request.',
  })
  note: string | null;
}

/** Response of POST /v1/keys/provision. */
export class ProvisionedKey {
  @ApiProperty(API_KEY)
  apiKey: string;
  @ApiProperty({ format: 'uuid', description: 'The new account.' })
  tenantId: string;
  @ApiProperty({ enum: ['free'] })
  tier: string;
  @ApiProperty({ description: 'What to do next.' })
  note: string;
}
