import { Inject } from '@nestjs/common';

export const CONNECTORS = Symbol('connectors');

/** The catalog of connectors. */
export const InjectConnectors = (): ParameterDecorator => Inject(CONNECTORS);
