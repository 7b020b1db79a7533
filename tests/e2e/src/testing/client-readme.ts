// The examples in the README of the client, run word for word against a platform.
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';

const run = promisify(execFile);
const client = fileURLToPath(new URL('../../../../packages/client/', import.meta.url));

/** The values that the examples leave to their reader. */
export interface Reader {
  readonly url: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

const secretKey = 'the key that signs';
const secret = `whsec_${Buffer.from(secretKey).toString('base64')}`;

const signed = (payload: string): Record<string, string> => {
  const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1_000))];
  const signature = createHmac('sha256', secretKey).update(`${id}.${timestamp}.${payload}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

export class ClientReadme {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parlance-readme-'));
  readonly #examples: readonly string[];
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
    const readme = readFileSync(join(client, 'README.md'), 'utf8');
    this.#examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text ?? '');
    mkdirSync(join(this.#folder, 'node_modules', '@parlance'), { recursive: true });
    symlinkSync(client, join(this.#folder, 'node_modules', '@parlance', 'client'));
  }

  /** The output of each example that ends by itself, in the order of the page. */
  async printed(): Promise<string[]> {
    const printed: string[] = [];
    for (const example of this.#examples.filter((text) => !text.includes('createServer'))) {
      const { stdout } = await run(process.execPath, [this.#file(example)], { timeout: 60_000 });
      printed.push(stdout.trim());
    }
    return printed;
  }

  /** The answers of the receiver's example to a signed message and a forged one, and its output. */
  async received(): Promise<{ readonly statuses: readonly number[]; readonly printed: string }> {
    const [example = ''] = this.#examples.filter((text) => text.includes('createServer'));
    const port = await freePort();
    const child = spawn(process.execPath, [this.#file(example.replace('8080', String(port)))]);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const payload = JSON.stringify({ type: 'call.ended', data: { call: { outcome: 'completed' } } });
    const post = async (headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: payload });
      return response.status;
    };
    try {
      const forged = await eventually(() => post({ ...signed(payload), 'webhook-id': 'msg_2' }));
      const statuses = [await post(signed(payload)), forged];
      await eventually(async () => {
        if (printed === '') throw new Error('the receiver has printed nothing yet');
      });
      return { statuses, printed: printed.trim() };
    } finally {
      child.kill();
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(example: string): string {
    const { url, apiKey, email, password } = this.#reader;
    const file = join(this.#folder, 'example.mjs');
    const filled = example
      .replaceAll('http://127.0.0.1:4700', url)
      .replaceAll('your key', apiKey)
      .replaceAll('you@example.com', email)
      .replaceAll('a long password', password)
      .replaceAll('whsec_...', secret);
    writeFileSync(file, filled);
    return file;
  }
}
