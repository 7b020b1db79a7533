// How a supervisor starts the speech service, and the service's own tests where it is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, startChild } from '@parlance/engines';
import { speechConfigurationStatus, speechServiceCommand, startSpeechService } from './speech-service.js';

const port = 4760;

describe('speechServiceCommand', () => {
  let folder = '';
  let requirements = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parlance-speech-'));
    mkdirSync(join(folder, 'voice'));
    requirements = join(folder, 'requirements.txt');
    writeFileSync(requirements, 'starlette==1.0.0\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const install = (command = process.execPath): void =>
    writeFileSync(
      join(folder, 'voice', 'service.json'),
      JSON.stringify({
        command,
        args: ['-m', 'parlance_speech'],
        env: { PYTHONPATH: '/speech' },
        requirements: [
          { file: requirements, sha256: createHash('sha256').update('starlette==1.0.0\n').digest('hex') },
        ],
      }),
    );

  it('names the command that installs the service where there is none', () => {
    expect(speechServiceCommand(folder, { port })).toEqual({
      missing: 'The local speech service is not installed: run `npm run voice:setup`.',
    });
  });

  it('keeps the port and the key of a caller, so that clients keep their address over a restart', () => {
    install();
    expect(speechServiceCommand(folder, { port, key: 'the key of this platform' })).toEqual({
      command: process.execPath,
      args: ['-m', 'parlance_speech'],
      env: {
        PYTHONPATH: '/speech',
        SPEECH_PORT: '4760',
        SPEECH_KEY: 'the key of this platform',
        SPEECH_EXIT_WITH_PARENT: '1',
      },
      key: 'the key of this platform',
      baseUrl: 'http://127.0.0.1:4760/v1',
      healthUrl: 'http://127.0.0.1:4760/health',
    });
  });

  it('makes a key that nobody can guess', () => {
    install();
    const keys = [1, 2].map(() => speechServiceCommand(folder, { port }));
    expect(keys).toEqual(
      [1, 2].map(() => expect.objectContaining({ key: expect.stringMatching(/^[0-9a-f]{48}$/) })),
    );
    expect(keys[0]).not.toEqual(keys[1]);
  });

  it('refuses an installation of another version, and one whose Python is gone', () => {
    install();
    writeFileSync(requirements, 'starlette==2.0.0\n');
    expect(speechServiceCommand(folder, { port })).toEqual({
      missing: expect.stringContaining('installed for another version of Parlance'),
    });
    install(join(folder, 'no-python'));
    expect(speechServiceCommand(folder, { port })).toEqual({
      missing: expect.stringContaining('is incomplete'),
    });
  });
});

describe('startSpeechService', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parlance-speech-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const startOf = async (script: string) => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const service = {
      command: process.execPath,
      args: ['-e', script],
      env: {},
      baseUrl: `${address}/v1`,
      key: 'the key of this platform',
      healthUrl: `${address}/health`,
    };
    return startSpeechService(service, { log: join(folder, 'log'), pid: join(folder, 'pid') });
  };

  it('gives the sentence with which the service ended, such as for a model with a flipped byte', async () => {
    const sentence = 'model.bin is not the file that the table of models describes (its SHA-256 differs).';
    const log = JSON.stringify({ event: 'listening' });
    expect(await startOf(`console.log('${log}'); console.error('${sentence}'); process.exit(78)`)).toEqual({
      missing: sentence,
    });
  });

  it('names the log of a service that ended without a sentence', async () => {
    expect(await startOf('process.exit(1)')).toEqual({
      missing: `The local speech service did not start; see ${join(folder, 'log')}.`,
    });
  });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));
const installed = speechServiceCommand(join(root, '.parlance'), { port });
const service = 'missing' in installed ? undefined : installed;
if (service === undefined)
  console.info('The tests of the speech service need `npm run voice:setup -- --with-tests`.');

/** The models are loaded, and a minute of speech is made and heard. */
const slowMs = 900_000;

(service === undefined ? describe.skip : describe)('the installed speech service', () => {
  const python = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(`${service?.command}`, args, {
      cwd: join(root, 'runtime', 'speech'),
      encoding: 'utf8',
      env: { ...process.env, ...service?.env, ...env },
    });

  it(
    'passes its own tests',
    () => {
      const { status, stdout, stderr } = python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests']);
      expect({ status, output: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
    },
    slowMs,
  );

  it('ends with one sentence and the status of a wrong configuration when a setting is wrong', () => {
    const { status, stderr } = python(['-m', 'parlance_speech'], { SPEECH_KEY: 'short' });
    expect(status).toBe(speechConfigurationStatus);
    expect(stderr).toMatch(/^SPEECH_KEY is missing or shorter than 16 characters[^\n]*\n$/);
  });

  it(
    'answers OpenAI clients on loopback once its models are loaded',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'parlance-speech-'));
      const started = speechServiceCommand(join(root, '.parlance'), { port: await freePort() });
      if ('missing' in started) throw new Error(started.missing);
      const child = await startChild({
        name: 'the speech service',
        command: [started.command, ...started.args],
        env: started.env,
        logFile: join(folder, 'speech.log'),
        startTimeoutMs: slowMs / 3,
        probe: async () => {
          const { status } = await fetch(started.healthUrl);
          if (status !== 200) throw new Error(`${status}`);
        },
      });
      try {
        const headers = { authorization: `Bearer ${started.key}` };
        const spoken = await fetch(`${started.baseUrl}/audio/speech`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'tts-1',
            voice: 'alloy',
            input: 'Good morning.',
            response_format: 'wav',
          }),
        });
        const form = new FormData();
        form.set('model', 'whisper-1');
        form.set('file', new Blob([await spoken.arrayBuffer()]), 'turn.wav');
        const url = `${started.baseUrl}/audio/transcriptions`;
        const heard = await fetch(url, { method: 'POST', headers, body: form });
        expect(await heard.json()).toEqual({ text: expect.stringMatching(/good morning/i) });
        expect((await fetch(url, { method: 'POST', body: form })).status).toBe(401);
      } finally {
        await child.stop();
        rmSync(folder, { recursive: true });
      }
    },
    slowMs,
  );
});
