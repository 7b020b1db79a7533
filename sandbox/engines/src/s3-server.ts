// A real S3 server on loopback, where one is installed: VersityGW or MinIO.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { freePort, reachable } from './ports.js';

export type S3Program = 'versitygw' | 'minio';

export interface S3Binary {
  readonly program: S3Program;
  readonly path: string;
}

export interface S3ServerOptions {
  /** Made if absent. */
  readonly dataDir: string;
  readonly logFile: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly accessKeyId: string;
  /** Eight characters or more. */
  readonly secretAccessKey: string;
  readonly binary: S3Binary;
}

export interface S3Server extends Pick<Child, 'crash' | 'stop' | 'pid'> {
  readonly url: string;
}

const programs: readonly S3Program[] = ['versitygw', 'minio'];

/** The first of the S3 servers that are installed. */
export const findS3Server = (): S3Binary | undefined =>
  programs
    .map((program) => ({ program, path: onPath(program) }))
    .find((binary): binary is S3Binary => binary.path !== undefined);

interface Launch {
  readonly folders: readonly string[];
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

const launches: Readonly<Record<S3Program, (options: S3ServerOptions, address: string) => Launch>> = {
  versitygw: ({ dataDir, accessKeyId, secretAccessKey, binary }, address) => {
    const [objects, users] = [join(dataDir, 'objects'), join(dataDir, 'users')];
    return {
      folders: [objects, users],
      // Without a folder of users an unknown access key is answered as no S3 answers it.
      command: [binary.path, '--port', address, '--iam-dir', users, '--quiet', 'posix', objects],
      env: { ROOT_ACCESS_KEY_ID: accessKeyId, ROOT_SECRET_ACCESS_KEY: secretAccessKey },
    };
  },
  minio: ({ dataDir, accessKeyId, secretAccessKey, binary }, address) => ({
    folders: [dataDir],
    // A console of its own would listen on a port of every interface.
    command: [binary.path, 'server', '--quiet', '--address', address, dataDir],
    env: {
      MINIO_ROOT_USER: accessKeyId,
      MINIO_ROOT_PASSWORD: secretAccessKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
  }),
};

/** Starts the server and resolves when it listens. Objects outlive the process. */
export const startS3Server = async (options: S3ServerOptions): Promise<S3Server> => {
  const dataDir = resolve(options.dataDir);
  const port = await freePort(options.port);
  const { program } = options.binary;
  const { folders, command, env } = launches[program]({ ...options, dataDir }, `127.0.0.1:${port}`);
  for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const child = await startChild({
    name: program,
    command: dyingWithParent(command, 'TERM'),
    logFile: options.logFile,
    pidFile: `${dataDir}.pid`,
    env,
    probe: () => reachable(port),
  });
  return { ...child, url: `http://127.0.0.1:${port}` };
};
