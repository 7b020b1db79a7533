// A client in Python that a public generator makes from the document of a running platform.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const python = 'python3';
const generator = ['-m', 'openapi_python_client'];
const program = fileURLToPath(new URL('../../python/campaign.py', import.meta.url));

/** Whether the generator is there; on a machine without it, a test says so in one line. */
export const hasPythonGenerator = (): Promise<boolean> =>
  run(python, [...generator, '--version']).then(
    () => true,
    () => false,
  );

export class PythonClient {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parlance-python-'));

  /** @returns the generator's output beside the name of the folder: its warnings */
  async generate(document: string): Promise<string> {
    const path = join(this.#folder, 'openapi.json');
    const settings = join(this.#folder, 'settings.yaml');
    writeFileSync(path, document);
    // The generated code is used as it comes: a formatter need not be installed.
    writeFileSync(settings, 'post_hooks: []\n');
    const options = ['--meta', 'none', '--path', path, '--config', settings];
    const output = ['--output-path', join(this.#folder, 'parlance_client')];
    const { stdout, stderr } = await run(python, [...generator, 'generate', ...options, ...output]);
    return `${stdout}${stderr}`.replace(/^Generating .*\n?/, '').trim();
  }

  /** The output of the campaign. */
  async campaign(
    variables: Readonly<Record<string, string>>,
    phoneNumbers: readonly string[],
  ): Promise<unknown> {
    const env = { ...process.env, ...variables, PYTHONPATH: this.#folder };
    const { stdout } = await run(python, [program, ...phoneNumbers], { env });
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
