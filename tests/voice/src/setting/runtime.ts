// The voice runtime as a program, and the records that it hands over.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dyingWithParent } from '@parlance/engines';
import type { FinishedCall } from './platform.js';

const runtime = fileURLToPath(new URL('../../../../runtime/voice/', import.meta.url));
export const agentName = 'measured';
const pollMs = 50;
/** A worker waits for its calls. */
const stopMs = 15_000;

export const missingOfRuntime = (): string | undefined =>
  existsSync(join(runtime, 'node_modules', '@livekit', 'agents'))
    ? undefined
    : 'runtime/voice: its own packages are not installed (npm ci in that folder)';

export const startRuntime = async (environment: Readonly<Record<string, string>>) => {
  execFileSync('npm', ['run', 'build'], { cwd: runtime, stdio: ['ignore', 'ignore', 'inherit'] });
  const [command, ...args] = dyingWithParent([process.execPath, 'dist/program/livekit/main.js'], 'KILL');
  const program = spawn(command, args, {
    cwd: runtime,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  program.stderr.on('data', (text: Buffer) => {
    output.push(text.toString());
    process.stderr.write(text);
  });
  const gone = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    program.stdout.on('data', (text: Buffer) => {
      output.push(text.toString());
      if (text.toString().includes('registered')) resolve();
      // Its warnings and errors.
      else process.stderr.write(text);
    });
    program.once('exit', (code) => reject(new Error(`the voice runtime exited with ${code}`)));
  });
  return {
    pid: program.pid as number,
    /** What it and the processes of its calls have printed. */
    output: () => output.join(''),
    stop: async () => {
      program.kill('SIGTERM');
      const late = setTimeout(() => program.kill('SIGKILL'), stopMs);
      await gone;
      clearTimeout(late);
    },
  };
};

/** The record of a call, once it is handed over. */
export const recordOf = async (
  platform: { readonly finished: readonly FinishedCall[] },
  isIt: (call: FinishedCall) => boolean,
  withinMs = 60_000,
): Promise<FinishedCall> => {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = platform.finished.find(isIt);
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`a call was not handed over within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
};
