import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';

/**
 * Listens under a name in the kernel's abstract namespace: no file stands for it, every user of the host
 * sees the same one, and it goes with the process that holds it, however that ends. It keeps no process alive.
 *
 * @param name begins with a zero character; of more than 108 bytes the kernel takes the first 108
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

/** num, reference count, protocol, flags, type, state, inode, and the name, padded with zeros that show as @. */
const SOCKET = /^\S+ \S+ \S+ (\S+) \S+ \S+ +\d+ @(.*?)@*$/;
/** The socket accepts connections: the kernel's __SO_ACCEPTCON. */
const ACCEPTS = 0x10000;

/** The names in the abstract namespace, each with its zero character, under which a process listens now. */
export function listeningNames(): string[] {
  const lines = fs.readFileSync('/proc/net/unix', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, flags, name] = SOCKET.exec(line) ?? [];
    return flags !== undefined && Number.parseInt(flags, 16) & ACCEPTS ? [`\0${name}`] : [];
  });
}
