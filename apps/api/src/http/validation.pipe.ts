import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
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
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Refusal('invalid_json');
    const dto = plainToInstance(metatype, value) as object;
    const errors = await validate(dto, {
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
    });
    const error = errors.find(({ property }) => property === 'url') ?? errors[0];
    if (error) throw refusalOf(error);
    return dto;
  }
}

function refusalOf(error: ValidationError): Refusal {
  const constraints = error.constraints ?? {};
  if (error.property === 'url') {
    const isMissing = error.value === undefined || error.value === null || error.value === '';
    return new Refusal(isMissing ? 'url_required' : 'invalid_url');
  }
  if ('whitelistValidation' in constraints) {
    return new Refusal('invalid_request', {
      problem: `Unknown field \`${error.property}\`. See /openapi.json for the fields of this endpoint.`,
    });
  }
  return new Refusal('invalid_request', {
    problem: Object.values(constraints)[0] ?? 'Invalid request',
  });
}
