// Runs the commands of a documentation page in Bash, word for word. Where the page leaves a value out (`KEY=parl_live_...`), it is
// taken from the response to the command before.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@parlance/fixtures';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The address of the platform on every page. A platform under test has a port of its own. */
const usualAddress = 'http://127.0.0.1:4700';

/** The longest wait for a value, by asking again, in milliseconds. */
const patienceMs = 90_000;

/** One answer, of one `curl`. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** A line such as `KEY=parl_live_...`, and the name of the value that it leaves out. */
const leftOut = /^([A-Z_]+)=.*\.\.\./;
const assignment = /^([A-Z_]+)=(\S+)$/;

/** The fenced blocks of the section with this heading, in order. @throws when the page has no such section */
export const blocksOf = (file: string, heading: string): string[] => {
  const page = readFileSync(join(root, file), 'utf8');
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`${file} has no section "${heading}"`);
  const end = page.indexOf('\n## ', start + 1);
  const section = page.slice(start, end < 0 ? undefined : end);
  return [...section.matchAll(/^```\n(.*?)^```$/gms)].map(([, text]) => text ?? '');
};

/** The commands between two left-out values, and the name of the left-out value that follows them. */
interface Passage {
  readonly commands: string;
  readonly then: string | undefined;
}

const passagesOf = (block: string): Passage[] => {
  const passages: Passage[] = [];
  let lines: string[] = [];
  const close = (then: string | undefined): void => {
    passages.push({ commands: lines.join('\n'), then });
    lines = [];
  };
  for (const line of block.split('\n')) {
    const name = leftOut.exec(line)?.[1];
    if (name === undefined) lines.push(line);
    else close(name);
  }
  close(undefined);
  return passages;
};

/** The number of lines in the blocks that call curl. */
export const commandsIn = (blocks: readonly string[]): number =>
  blocks
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('curl ')).length;

const [unit, record] = ['\u001f', '\u001e'];
/** Separates each response from the next, and adds its status; curl itself writes neither. */
const prelude = `curl() { command curl --max-time 60 -w $'\\x1f%{http_code}\\x1e' "$@"; }`;

const bash = (script: string, folder: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`bash ended with ${code}: ${errors}\n${script}`)),
    );
  });

const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const answersIn = (output: string): Answered[] =>
  output
    .split(record)
    .filter((one) => one.trim() !== '')
    .map((one) => {
      const [body = '', status] = one.split(unit);
      return { status: Number(status), body: bodyOf(body) };
    });

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** Takes a value from the responses before it; undefined while it is not there yet. */
export type Fill = (answers: readonly Answered[]) => string | undefined;

/** A terminal in a folder that has the examples and keeps the cookie. */
export class Walk {
  readonly #url: string;
  readonly #fills: Readonly<Record<string, Fill>>;
  readonly #known = new Map<string, string>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'parlance-walk-'));

  constructor(url: string, fills: Readonly<Record<string, Fill>>) {
    this.#url = url;
    this.#fills = fills;
    symlinkSync(join(root, 'examples'), join(this.#folder, 'examples'));
  }

  /** The value of a variable that the page assigns or that was taken from a response. */
  value(name: string): string {
    const value = this.#known.get(name);
    if (value === undefined) throw new Error(`the page assigns no ${name}`);
    return value;
  }

  /** Runs a block. @returns every response, the last one of each command that was repeated */
  async run(block: string): Promise<Answered[]> {
    const answers: Answered[] = [];
    for (const { commands, then } of passagesOf(block.replaceAll(usualAddress, this.#url))) {
      for (const line of commands.split('\n')) {
        const [, name, value] = assignment.exec(line) ?? [];
        if (name !== undefined && value !== undefined) this.#known.set(name, value);
      }
      answers.push(...(await this.#passage(commands, then, answers)));
    }
    return answers;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #passage(
    commands: string,
    then: string | undefined,
    before: readonly Answered[],
  ): Promise<Answered[]> {
    const fill = then === undefined ? () => '' : this.#fills[then];
    if (fill === undefined) throw new Error(`the test does not know where ${then} comes from`);
    // Only a read may be repeated; every other command responds with the value at once, or the page is wrong.
    const timeoutMs = / -d | -X | -T /.test(commands) ? 0 : patienceMs;
    return eventually(
      async () => {
        const answers = await this.#bash(commands);
        const value = fill(answers.length === 0 ? before : answers);
        if (value === undefined) throw new Error(`no ${then} in ${JSON.stringify(answers)}`);
        if (then !== undefined) this.#known.set(then, value);
        return answers;
      },
      { timeoutMs, intervalMs: 500 },
    );
  }

  async #bash(commands: string): Promise<Answered[]> {
    const assignments = [...this.#known].map(([name, value]) => `${name}=${quoted(value)}`);
    return answersIn(await bash([prelude, ...assignments, commands].join('\n'), this.#folder));
  }
}

/** Whether bash and curl are installed. */
export const hasCurl = async (): Promise<boolean> =>
  bash('command -v curl', tmpdir()).then(
    () => true,
    () => false,
  );
