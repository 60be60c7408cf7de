import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import { Refusal } from '@app/contracts';

/**
 * Turns a body into its DTO. An unknown field is refused by name: an option that is silently
 * dropped looks as if it had worked.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || !metatype) return value;
    return parseBody(metatype as Type<object>, value);
  }
}

/** @throws Refusal */
export async function parseBody<T extends object>(dto: Type<T>, value: unknown): Promise<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('invalid_json');
  const body = withFields(new dto(), value);
  const errors = await validate(body, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
  });
  const error = errors.find(({ property }) => property === 'url') ?? errors[0];
  if (error) throw refusalOf(error);
  return body;
}

/** Names that every object has would change what the fields are checked by. */
function withFields<T extends object>(target: T, fields: object): T {
  const inherited = Object.keys(fields).find((name) => name in Object.prototype);
  if (inherited !== undefined) throw unknownField(inherited);
  return Object.assign(target, fields);
}

function unknownField(name: string): Refusal {
  return new Refusal('invalid_request', {
    problem: `Unknown field \`${name}\`. See /openapi.json for the fields of this endpoint.`,
  });
}

function refusalOf(error: ValidationError): Refusal {
  const constraints = error.constraints ?? {};
  if ('whitelistValidation' in constraints) return unknownField(error.property);
  if (error.property === 'url') {
    const isMissing = error.value === undefined || error.value === null || error.value === '';
    return new Refusal(isMissing ? 'url_required' : 'invalid_url');
  }
  return new Refusal('invalid_request', {
    problem: Object.values(constraints)[0] ?? 'Invalid request',
  });
}
