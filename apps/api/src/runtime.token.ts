import { Inject } from '@nestjs/common';

const RUNTIME = Symbol('runtime');

/** Injects the process's {@link Runtime}. */
export const InjectRuntime = (): ParameterDecorator => Inject(RUNTIME);
export { RUNTIME };
