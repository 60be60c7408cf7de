import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * A free port, chosen before anything is wired because download links name it, and held until its
 * owner is about to listen: nobody on the machine is given it meanwhile.
 */
export class HeldPort {
  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  static async on(host: string): Promise<HeldPort> {
    const server = createServer().unref();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, host, () => resolve());
    });
    return new HeldPort((server.address() as AddressInfo).port, server);
  }

  /** Lets go of it; does nothing the second time. */
  async release(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }
}
