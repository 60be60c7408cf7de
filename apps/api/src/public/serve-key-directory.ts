import type { FastifyInstance } from 'fastify';
import { KEY_DIRECTORY_PATH, KeyDirectory, type BotIdentity } from '@app/egress';

/**
 * Serves the public keys of signed requests (Web Bot Auth) to everyone, as they were signed: nothing compresses them.
 * Without a key there is no such path.
 */
export function serveKeyDirectory(fastify: FastifyInstance, identity: BotIdentity | null): void {
  if (identity === null) return;
  const directory = new KeyDirectory(identity);
  fastify.get(KEY_DIRECTORY_PATH, async (_request, reply) => {
    const { headers, body } = directory.response();
    // Bytes: to a text Fastify adds a charset, which the type does not have.
    return reply.headers(headers).send(Buffer.from(body));
  });
}
