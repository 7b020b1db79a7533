// The package as others get it: packed, installed into an empty folder, used from JavaScript and compiled from TypeScript.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { ScriptedServer } from './testing/scripted-server.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const largestScriptBytes = 12 * 1024;
let folder: string;
let server: ScriptedServer;

const packed = async (path: string): Promise<string> => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(root, path),
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
};
const put = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-client-'));
  server = await ScriptedServer.start();
  await put('package.json', '{"private":true,"type":"module"}');
  const tarballs = [await packed('packages/client'), await packed('node_modules/eventsource-parser')];
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
});
afterAll(async () => {
  server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const program = `
import { createClient, isApiError, verifyWebhook } from '@parlance/client';
const client = createClient({ baseUrl: process.argv[2], apiKey: 'k', retryDelayMs: 1 });
const names = [];
for await (const agent of client.agents.list.all()) names.push(agent.name);
const code = await client.calls.get({ params: { callId: 'c' } }).catch((error) => isApiError(error, 'CALL_NOT_FOUND') && error.code);
const problem = await verifyWebhook({ payload: '', headers: {}, secret: 's' }).catch((error) => error.problem);
console.log(JSON.stringify({ names, code, problem }));
`;

const typed = `
import { type Agent, type CallMessage, createClient, isApiError, verifyWebhook } from '@parlance/client';
const client = createClient({ baseUrl: 'http://127.0.0.1/api/v1', apiKey: 'k' });
export const first = async (): Promise<Agent | undefined> => {
  for await (const agent of client.agents.list.all()) return agent;
  return undefined;
};
export const wrong = async (): Promise<string[]> => {
  try {
    // @ts-expect-error a name is required
    await client.agents.create({ body: { isActive: true, templateId: null } });
    return [];
  } catch (error) {
    return isApiError(error, 'VALIDATION_ERROR') ? (error.details?.issues ?? []).map(({ path }) => path) : [];
  }
};
export const received = async (payload: string, headers: Headers): Promise<CallMessage | undefined> => {
  const message = await verifyWebhook({ payload, headers, secret: 'whsec_AAAA' });
  return message.type === 'call.ended' ? message : undefined;
};
`;

const readme = await readFile(join(root, 'packages/client/README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text ?? '');

/** The errors of the compiler for these files in a strict project of others; empty when they are right. */
const compiled = async (
  files: readonly string[],
  options: { readonly module: string; readonly moduleResolution: string; readonly types: readonly string[] },
): Promise<string> => {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
    ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'] },
    ...{ ...options, typeRoots: [join(root, 'node_modules/@types')] },
  };
  await put('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  return run(tsc, ['-p', folder], { cwd: folder }).then(
    () => '',
    (error: unknown) => String(Reflect.get(Object(error), 'stdout')),
  );
};

/** Other programs that run JavaScript, where they are installed. */
const runtimes = [
  ['bun', ['run']],
  ['deno', ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual', '--no-prompt']],
] as const;

const isInstalled = (name: string): Promise<boolean> =>
  run(name, ['--version']).then(
    () => true,
    () => false,
  );

const replies = [
  { status: 503, headers: { 'retry-after': '0' }, body: '' },
  { body: { success: true, message: 'ok', data: [{ name: 'Front desk' }] } },
  {
    status: 404,
    body: { success: false, message: 'No.', error: { code: 'CALL_NOT_FOUND', requestId: 'r' } },
  },
];
const said = { names: ['Front desk'], code: 'CALL_NOT_FOUND', problem: 'headers_missing' };

describe('the package', () => {
  it('has no dependency on a workspace, and holds neither tests nor sources', async () => {
    const installed = join(folder, 'node_modules', '@parlance', 'client');
    const { dependencies, private: isPrivate } = JSON.parse(
      await readFile(join(installed, 'package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies)).toEqual(['eventsource-parser']);
    expect(isPrivate).toBeUndefined();
    const { stdout } = await run('find', [
      installed,
      '-type',
      'f',
      '-not',
      '-name',
      '*.js',
      '-not',
      '-name',
      '*.d.ts',
    ]);
    const others = stdout
      .trim()
      .split('\n')
      .map((file) => file.slice(installed.length + 1));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect((await run('find', [installed, '-name', '*spec*', '-o', '-name', 'testing'])).stdout).toBe('');
  });

  it('works from plain JavaScript', async () => {
    server.replies.push(...replies);
    await put('program.mjs', program);
    const { stdout } = await run(process.execPath, ['program.mjs', server.baseUrl], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(said);
  });

  it.each(runtimes)('works in %s', async (name, args) => {
    if (!(await isInstalled(name))) {
      process.stderr.write(`the client is not tried in ${name}, which is not installed\n`);
      return;
    }
    server.replies.push(...replies);
    await put('program.mjs', program);
    const { stdout } = await run(name, [...args, 'program.mjs', server.baseUrl], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(said);
  });

  it.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])(
    'compiles strictly with moduleResolution %s, without the types of Node',
    async (moduleResolution, module) => {
      await put('program.ts', typed);
      expect(await compiled(['program.ts'], { module, moduleResolution, types: [] })).toBe('');
    },
  );

  it.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])(
    'has examples in its README that compile strictly with moduleResolution %s',
    async (moduleResolution, module) => {
      const files = examples.map((_, index) => `example-${index}.ts`);
      expect(files.length).toBeGreaterThan(4);
      for (const [index, text] of examples.entries()) await put(`example-${index}.ts`, text);
      expect(await compiled(files, { module, moduleResolution, types: ['node'] })).toBe('');
    },
  );

  it('is a small script for a page, with nothing of Node', async () => {
    await put('page.js', "export { createClient, verifyWebhook } from '@parlance/client';");
    const { outputFiles } = await build({
      ...{ absWorkingDir: folder, entryPoints: ['page.js'], bundle: true, minify: true, write: false },
      ...{ format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'silent' },
    });
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength;
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(largestScriptBytes);
  });
});
