import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { parseBody } from '../../http/validation.pipe.js';

/** A body that may be left out: then every field has its default. @throws Refusal */
export async function parseOptionalBody<T extends object>(
  dto: Type<T>,
  { body }: FastifyRequest,
): Promise<T> {
  return parseBody(dto, body === undefined ? {} : body);
}
