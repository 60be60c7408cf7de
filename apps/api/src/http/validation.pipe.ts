import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import { ApiError } from '@app/contracts';
import {
  furtherHint,
  ruleBroken,
  shortened,
  typeHint,
  unknownFieldHint,
} from './hints/field-hints.js';

/**
 * Turns a body into its DTO. An unknown field is an error: a silently ignored option
 * would look as if it had worked.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || !metatype) return value;
    return parseBody(metatype as Type<object>, value);
  }
}

/** @throws ApiError */
export async function parseBody<T extends object>(dto: Type<T>, value: unknown): Promise<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalid_json');
  const body = withFields(new dto(), value);
  const errors = await validate(body, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
  });
  const first = errors.find(({ property }) => property === 'url') ?? errors[0];
  if (first) throw apiErrorOf(first, { dto: body, further: errors.filter((one) => one !== first) });
  return body;
}

/** Names that every object inherits would change which rules apply to the fields. */
function withFields<T extends object>(target: T, fields: object): T {
  const inherited = Object.keys(fields).find((name) => name in Object.prototype);
  if (inherited !== undefined) throw unknownField(inherited, null);
  return Object.assign(target, fields);
}

function unknownField(name: string, hint: string | null): ApiError {
  const problem = `Unknown field \`${shortened(name)}\`. See /openapi.json for the fields of this endpoint.`;
  return new ApiError('invalid_request', { problem }, { hint });
}

interface BodyContext {
  readonly dto: object;
  /** The other mistakes of the body. */
  readonly further: readonly ValidationError[];
}

function apiErrorOf(error: ValidationError, { dto, further }: BodyContext): ApiError {
  const { property, value, constraints = {} } = error;
  const isAbsent = value === undefined || value === null;
  const isUnknown = 'whitelistValidation' in constraints;
  const own = isUnknown ? unknownFieldHint(property, dto) : typeHint(error);
  const hint = [own, furtherHint(further, dto)].filter((part) => part !== null).join(' ') || null;
  if (isUnknown) return unknownField(property, hint);
  if (property === 'url') {
    const isMissing = isAbsent || value === '';
    const details: Record<string, string> = typeof value === 'string' ? { url: value } : {};
    return new ApiError(isMissing ? 'url_required' : 'invalid_url', details, { hint });
  }
  if (property === 'query' && isAbsent) return new ApiError('query_required', {}, { hint });
  if (property === 'location' && isAbsent) return new ApiError('location_required', {}, { hint });
  return new ApiError('invalid_request', { problem: ruleBroken(error) }, { hint });
}
