// Every process of the image, started as the image starts it, with every fault at once that its variables can have. The
// process has to end before it reaches an engine, and name the faults in one line for an operator.
import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type Process, processes } from './processes.js';
import { variablesOf } from './variables.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const canary = 'changeme-canary-51d0';
const misspelt = 'RATE_LIMT_READ_PER_MINUTE';

interface Ended {
  readonly code: number | string | null | undefined;
  readonly output: string;
}

const run = (args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve) => {
    const [file = '', ...rest] = args;
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...variables };
    execFile(file, rest, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
const runInImage = (command: string, variables: Readonly<Record<string, string>>): Promise<Ended> =>
  run(['sh', 'deploy/image/entrypoint.sh', command], variables);

const lineOf = ({ code, output }: Ended): string => {
  expect(code).toBe(1);
  expect(output).not.toContain(canary);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
};

/** The reason in the only line that a process of the image has written. */
const reasonIn = (ended: Ended): string => {
  const line = z.looseObject({ level: z.string(), reason: z.string() }).parse(JSON.parse(lineOf(ended)));
  expect(line.level).toBe('fatal');
  expect(line).not.toHaveProperty('err');
  return line.reason;
};

const refuses = (field: unknown, value: string): boolean =>
  field instanceof z.ZodType && !field.safeParse(value).success;

/**
 * The faults of a process: secrets whose schema refuses the canary (too short, or a placeholder), and missing required
 * variables.
 */
const wrongOf = ({ env }: Process) => {
  const variables = variablesOf(env);
  const bad = variables.filter(
    ({ name, secret }) => secret && name !== 'ROOT_SECRET' && refuses(env.shape[name], canary),
  );
  return { bad, missing: variables.filter((variable) => variable.isRequired && !bad.includes(variable)) };
};

describe('every process', () => {
  const started = new Map<string, Ended>();

  // Reading their code takes most of the time, and the processes wait for nothing.
  beforeAll(async () => {
    await Promise.all(
      processes.map(async (process) => {
        const secrets = Object.fromEntries(wrongOf(process).bad.map(({ name }) => [name, canary]));
        started.set(process.name, await runInImage(process.name, { ...secrets, [misspelt]: canary }));
      }),
    );
  });

  it.each(processes)('$name refuses missing, short and misspelt variables in one line', (process) => {
    const reason = reasonIn(started.get(process.name) ?? { code: undefined, output: '' });
    const { bad, missing } = wrongOf(process);
    expect(missing.length).toBeGreaterThan(0);
    for (const { name } of bad) expect(reason).toContain(`${name} is not valid`);
    for (const { name } of missing) expect(reason).toContain(`${name} is missing`);
    expect(reason).toContain(`${misspelt} is read by no process, and RATE_LIMIT_READ_PER_MINUTE is`);
    expect(reason).toContain('docs/configuration.md');
  });
});

it('a process refuses a bad variable of tracing before it loads anything else', async () => {
  const reason = reasonIn(await runInImage('gateway', { OTEL_EXPORTER_OTLP_ENDPOINT: canary }));
  expect(reason).toContain('OTEL_EXPORTER_OTLP_ENDPOINT is not valid (a URL with scheme http or https)');
});

/** A message of PostgreSQL's protocol: its letter, its length, its content. */
const message = (letter: string, ...content: readonly (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + length.length);
  return Buffer.concat([Buffer.from(letter), length, body]);
};
const signedIn = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);
const oneColumn = message(
  'T',
  Buffer.from([0, 1]),
  'version\0',
  Buffer.from([...Buffer.alloc(9), 25, 255, 255]),
  Buffer.alloc(6),
);
const oneRow = message('D', Buffer.from([0, 1, 0, 0, 0, 4]), '14.9');
const answered = Buffer.concat([oneColumn, oneRow, message('C', 'SELECT 1\0'), message('Z', 'I')]);

/** PostgreSQL 14.9, as far as a client sees of it that asks for nothing but the version. */
const oldPostgres = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(signedIn);
      socket.on('data', (data) => data.toString('latin1', 0, 1) === 'Q' && socket.write(answered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `postgres://mcp_facade:unused@127.0.0.1:${port}/parlance`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

it('a process refuses an engine of an unsupported version before it migrates anything', async () => {
  const postgres = await oldPostgres();
  try {
    const variables = {
      POSTGRES_URL: postgres.url,
      GATEWAY_URL: 'http://127.0.0.1:1',
      PUBLIC_URL: 'http://127.0.0.1:1',
      MCP_CONFIRMATION_KEY: 'of forty characters, which is long enough',
    };
    expect(reasonIn(await runInImage('mcp-facade', variables))).toBe(
      'PostgreSQL 14.9 is older than 15, the oldest supported: upgrade it, then start again',
    );
  } finally {
    postgres.stop();
  }
});

it('settings refuses a misspelt name of .env, which would reach no process', async () => {
  const reason = reasonIn(await runInImage('settings', { [misspelt]: canary, NATS_PASSWORD: canary }));
  expect(reason).toContain(`${misspelt} is read by no process`);
  expect(reason).not.toContain('NATS_PASSWORD');
});

it('npm start refuses a misspelt variable before it starts an engine', async () => {
  const npmStart = [process.execPath, 'sandbox/start/dist/bin.js'];
  const line = lineOf(await run(npmStart, { [misspelt]: canary }));
  expect(line).toContain(`Parlance could not start. Bad configuration: ${misspelt} is read by no process`);
});
