import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * A free port, chosen before the components are created because download links contain it, and kept occupied
 * until its owner is about to listen: no other process can take it meanwhile.
 */
export class ReservedPort {
  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  static async on(host: string): Promise<ReservedPort> {
    const server = createServer().unref();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, host, () => resolve());
    });
    return new ReservedPort((server.address() as AddressInfo).port, server);
  }

  /** Releases it; a second call does nothing. */
  async release(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }
}
