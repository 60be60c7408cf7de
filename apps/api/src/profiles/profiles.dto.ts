import { ApiProperty } from '@nestjs/swagger';
import { COOKIE_LIMITS } from '@app/profiles';
import { BooleanField, ParsedField, UrlField } from '../http/fields.js';
import { ACTIONS_SCHEMA } from '../scrape/scrape.dto.js';

const optional = (type: 'string' | 'boolean' | 'number') => ({ type, nullable: true });

/** Body of PUT /v1/profiles/:name. */
export class ProfileRequest {
  @UrlField({
    description:
      'Where the site asks for a login. Required if `cookies` is a text: they are then for its host alone. A page that ends there asks for a login again.',
    example: 'https://example.com/',
  })
  url?: string;

  @ParsedField({
    description:
      'In place of `cookies`: the actions of the login, run once in a browser on the page of `url`. They are not stored; the cookies that they end with are. Charged as a scrape.',
    schema: ACTIONS_SCHEMA,
  })
  actions?: unknown;

  @BooleanField({ description: 'With `actions`: ignore robots.txt.', fallback: false })
  ignoreRobotsTxt?: boolean;

  @ParsedField({
    description: `The cookies of a browser that is logged in, up to ${COOKIE_LIMITS.cookies}: a list of objects as browsers and their extensions export them (a domain with a leading dot includes subdomains), or the text of a Cookie header. They are stored encrypted, and never returned.`,
    schema: {
      anyOf: [
        { type: 'string', minLength: 3, maxLength: COOKIE_LIMITS.bytes },
        {
          type: 'array',
          minItems: 1,
          maxItems: COOKIE_LIMITS.cookies,
          items: {
            type: 'object',
            required: ['name', 'value'],
            properties: {
              name: { type: 'string' },
              value: { type: 'string' },
              domain: { ...optional('string'), description: 'Without it, the host of `url`.' },
              path: { type: 'string', default: '/' },
              secure: optional('boolean'),
              httpOnly: optional('boolean'),
              hostOnly: optional('boolean'),
              sameSite: optional('string'),
              expires: {
                ...optional('number'),
                description: 'Seconds since 1970; alias `expirationDate`.',
              },
            },
          },
        },
      ],
    },
    example: [{ name: 'session', value: 'abc', domain: '.example.com', secure: true }],
  })
  cookies?: unknown;
}

export const PROFILE_STATES = ['active', 'auth_expired', 'expired'] as const;

/** A login under a name. The values of its cookies are never shown. */
export class ProfileView {
  @ApiProperty()
  name: string;
  @ApiProperty({
    enum: PROFILE_STATES,
    description:
      '`auth_expired`: the site asked for a login again, though it got the cookies. `expired`: its time is over, and it is deleted.',
  })
  state: (typeof PROFILE_STATES)[number];
  @ApiProperty({ type: String, format: 'uri', nullable: true })
  url: string | null;
  @ApiProperty({ type: [String], description: 'With a leading dot: its subdomains, too.' })
  hosts: readonly string[];
  @ApiProperty({ type: [String] })
  cookieNames: readonly string[];
  @ApiProperty({ format: 'date-time' })
  savedAt: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  usedAt: string | null;
  @ApiProperty({
    format: 'date-time',
    description: 'The end of its last cookie, or of its time without use.',
  })
  expiresAt: string;
}

/** All profiles of the account. */
export class ProfileList {
  @ApiProperty({ type: [ProfileView] })
  profiles: readonly ProfileView[];
}

/** A profile was deleted with its cookies. */
export class ProfileDeleted {
  @ApiProperty()
  name: string;
  @ApiProperty()
  deleted: boolean;
}
