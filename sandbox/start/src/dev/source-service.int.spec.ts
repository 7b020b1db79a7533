import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { SourceService } from './source-service.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');
const zod = pathToFileURL(join(root, 'node_modules/zod/index.js')).href;

/**
 * A service that writes when it starts and stops, with the word of a file beside it. Its tests may replace its clock, as those of
 * outbound-dialer do.
 */
const source = `
import { appendFileSync } from 'node:fs';
import { z } from '${zod}';
import { word } from './word.js';
export const Env = z.object({ LOG_FILE: z.string() });
export const start = async (env: z.infer<typeof Env>, clockInTests = () => Date) => {
  clockInTests();
  const note = (text: string) => appendFileSync(env.LOG_FILE, text + ' ' + word + '\\n');
  note('starts');
  const running = setInterval(() => undefined, 1_000);
  return { stop: async () => { clearInterval(running); note('stops'); } };
};
`;

let folder: string;
let printed: string[];
let service: SourceService;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-dev-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'index.ts'), source);
  printed = [];
  edit(`export const word: string = 'one';`);
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const edit = (text: string): void => writeFileSync(join(folder, 'src', 'word.ts'), text);
const logFile = (): string => join(folder, 'log');
const noted = (): string[] =>
  existsSync(logFile()) ? readFileSync(logFile(), 'utf8').trimEnd().split('\n') : [];
const within = { timeoutMs: 60_000, intervalMs: 25 };
const startService = async (hasPort: boolean): Promise<void> => {
  service = new SourceService({
    root,
    name: 'example',
    folder: relative(root, folder),
    variables: { LOG_FILE: logFile() },
    hasPort,
    keepsSpare: true,
    print: (line) => printed.push(line),
  });
  await service.start();
};

describe('a service that runs from its sources', () => {
  it('is replaced after an edit of a file that it uses, and stops when the next one answers', async () => {
    await startService(false);
    expect(noted()).toEqual(['starts one']);
    edit(`export const word: string = 'two';`);
    await eventually(() => expect(noted()).toEqual(['starts one', 'starts two', 'stops one']), within);
    await eventually(() => expect(printed).toEqual([expect.stringContaining('example: live after')]), within);
  });

  it('releases its port before the next one listens', async () => {
    await startService(true);
    edit(`export const word: string = 'two';`);
    await eventually(() => expect(noted()).toEqual(['starts one', 'stops one', 'starts two']), within);
  });

  it('keeps the last code that loads, shows the error, and takes the next edit', async () => {
    await startService(false);
    edit('export const word = (;');
    await eventually(() => expect(printed).toHaveLength(1), within);
    expect(printed[0]).toMatch(
      /word\.ts does not load\. The previous code keeps running\.\n[\s\S]*word\.ts:1/,
    );
    expect(noted()).toEqual(['starts one']);
    edit(`export const word: string = 'three';`);
    await eventually(() => expect(noted()).toEqual(['starts one', 'starts three', 'stops one']), within);
  });

  it('stops with the platform, after what it has begun', async () => {
    await startService(false);
    await service.stop();
    expect(noted()).toEqual(['starts one', 'stops one']);
  });
});
