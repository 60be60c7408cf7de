import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { parseBody } from '../../http/validation.pipe.js';

/** Parses an optional body: without one every field has its default. @throws ApiError */
export async function parseOptionalBody<T extends object>(
  dto: Type<T>,
  { body }: FastifyRequest,
): Promise<T> {
  return parseBody(dto, body === undefined ? {} : body);
}
