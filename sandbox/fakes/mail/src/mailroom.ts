// An SMTP server for one machine: it takes every mail for anybody, keeps each as a file, and sends nothing on.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export interface MailroomOptions {
  /** Folder for `<time>-<recipient>.eml`; made when it is not there. */
  readonly dataDir: string;
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
}

export interface Mailroom {
  readonly port: number;
  /** `smtp://host:port`, as the platform's SMTP_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

const largestMail = 1_024 * 1_024;
const closeTimeoutMs = 1_000;

class TooLarge extends Error {
  readonly responseCode = 552;
}

const read = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk);
  if (stream.sizeExceeded) throw new TooLarge('the mail is too large');
  return Buffer.concat(chunks);
};

/** Sortable, and the same alphabet on every file system. */
const stampOf = (time: Date): string => time.toISOString().replaceAll(/[-:.]/g, '');

const plain = (recipient: string): string =>
  recipient
    .toLowerCase()
    .replaceAll(/[^a-z0-9@._+-]/g, '_')
    .slice(0, 100);

class Folder {
  readonly #path: string;
  #last = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** A reader never sees half a mail: it appears under its name when it is whole. */
  async keep(recipient: string, mail: Buffer): Promise<void> {
    // No two mails have one time, so no file takes the place of another.
    this.#last = Math.max(this.#last + 1, Date.now());
    const name = `${stampOf(new Date(this.#last))}-${plain(recipient)}`;
    const staged = join(this.#path, `.${name}.part`);
    await writeFile(staged, mail, { mode: 0o600 });
    await rename(staged, join(this.#path, `${name}.eml`));
  }
}

const keepAll = async (
  folder: Folder,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> => {
  const mail = await read(stream);
  for (const { address } of envelope.rcptTo) await folder.keep(address, mail);
};

/** Resolves when it listens. */
export const startMailroom = async ({
  dataDir,
  host = '127.0.0.1',
  port = 0,
}: MailroomOptions): Promise<Mailroom> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = new Folder(dataDir);
  const server = new SMTPServer({
    size: largestMail,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: closeTimeoutMs,
    onData: (stream, session, done) => {
      keepAll(folder, stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error('the mail was not kept')),
      );
    },
  });
  // A client that goes away in the middle of a mail is its own business.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    port: bound,
    url: `smtp://${host}:${bound}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
