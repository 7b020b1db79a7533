// Keeps a second process from opening the same data directory: two writers would destroy the log.
import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A held lock; the operating system releases it when the process ends, however it ends. */
export interface DataDirLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a directory, which is made if needed; throws when another process holds it. The lock is a listening
 * socket and not a file with a process id, because ids are used again. Its path is short, as sockets need.
 */
export async function lockDataDir(directory: string): Promise<DataDirLock> {
  await mkdir(directory, { recursive: true });
  const name = createHash('sha256')
    .update(await realpath(directory))
    .digest('hex')
    .slice(0, 24);
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\eventstore-${name}`
      : join(tmpdir(), `eventstore-${name}.lock`);
  const server = (await listening(path)) ?? (await takeOver(path));
  if (server === undefined) throw new Error(`${directory} is in use by another process`);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** The socket that a killed process left behind does not answer and is replaced. */
async function takeOver(path: string): Promise<Server | undefined> {
  if (await answers(path)) return undefined;
  await rm(path, { force: true });
  return listening(path);
}

function listening(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => resolve(server.unref()));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
