import { createServer } from 'node:net';

/** The reason why the API cannot listen there, or null. Checked before anything else starts. */
export async function portProblem(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, () => resolve());
    });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      return `Port ${port} on ${host} is taken: Trawl may already be running, or another program uses it. Choose another port: PORT=${port + 1} npm start`;
    }
    return `Cannot listen on ${host}:${port} (${code ?? String(error)}). Set HOST and PORT to an address of this machine.`;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
