// A bare Nest on Fastify that answers one route: what an authenticated request is held against.
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

@Controller('echo')
class EchoController {
  @Get()
  echo(): { readonly jobs: readonly never[] } {
    return { jobs: [] };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(EchoModule, new FastifyAdapter(), {
    logger: ['error', 'fatal'],
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  console.log(JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
