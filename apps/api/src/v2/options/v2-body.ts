import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { V2Fields } from './read-options.js';

/** The body of a request: any object, since unknown options are ignored with a warning. @throws ApiError */
export const V2Body = createParamDecorator((_: unknown, context: ExecutionContext): V2Fields => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError('invalid_json');
  return body as V2Fields;
});
