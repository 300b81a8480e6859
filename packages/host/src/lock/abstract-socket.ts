import { once } from 'node:events';
import net from 'node:net';

/**
 * Listens under a name in the kernel's abstract namespace: no file stands for it, every user of the host
 * sees the same one, and it goes with the process that holds it, however that ends. It keeps no process alive.
 *
 * @param name begins with a zero character
 * @returns null when another process listens there
 */
export async function listenAlone(
  name: string,
  onConnection: (socket: net.Socket) => void,
): Promise<net.Server | null> {
  const server = net.createServer(onConnection);
  try {
    server.listen(name);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
  return server.unref();
}
