// The choice between stand-ins and engines: a named or installed engine is used, and a folder keeps the engine of its
// data.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataFolder } from './data-folder.js';
import { missingRuntime } from './real-media-programs.js';
import { secretsOfRun, secretVariables } from './shared-settings.js';
import { chooseEngines, type EngineOptions, egressVariables, standInVariables } from './stand-in-parts.js';

const { PATH } = process.env;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parlance-choice-'));
  process.env.PATH = directory;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(directory, { recursive: true, force: true });
});

const install = (program: string): string => {
  const path = join(directory, program);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
};

const optionsFor = (source: EngineOptions['source'] = {}, realMedia = false): EngineOptions => {
  const folder = new DataFolder(join(directory, 'data'));
  const gatewayUrl = 'http://127.0.0.1:4700';
  return {
    folder,
    secrets: secretsOfRun(folder.secrets(), source),
    gatewayUrl,
    agentName: 'voice',
    timeScale: 1,
    realMedia,
    browserVoice: false,
    voice: false,
    scriptedAgent: true,
    cacheDir: directory,
    source,
  };
};
const choose = (...given: Parameters<typeof optionsFor>) => chooseEngines(optionsFor(...given));
const chooseVoice = () => chooseEngines({ ...optionsFor(), voice: true });

describe('an engine', () => {
  it('has a stand-in where the machine has nothing', async () => {
    const { parts, mongod: found } = await choose();
    expect(Object.keys(parts).sort()).toEqual([
      'eventStore',
      'liveKit',
      'mail',
      'mongo',
      'practice',
      's3',
      'telnyx',
      'twilio',
    ]);
    expect(found).toBeUndefined();
  });

  it('that the environment names has none', async () => {
    const named = {
      EVENTSTORE_URL: 'esdb://es:2113',
      MONGODB_URL: 'mongodb://mongo',
      OBJECT_STORAGE_URL: 'https://s3.example',
      LIVEKIT_URL: 'https://livekit.example',
      TWILIO_ACCOUNT_SID: 'AC0',
      TELNYX_API_KEY: 'KEY',
      SMTP_URL: 'smtp://mail.example.com',
    };
    const { parts, ...programs } = await choose(named);
    expect(Object.keys(parts)).toEqual(['practice']);
    expect(programs).toEqual({ media: 'named', mongod: undefined, realMedia: undefined });
  });
});

describe('the practice', () => {
  it('is the only place of this machine that tools may ask, besides those that the environment names', async () => {
    const options = optionsFor();
    const { parts } = await chooseEngines(options);
    const place = `127.0.0.1:${parts.practice.port}`;
    expect(egressVariables(options, parts)).toEqual({ EGRESS_ALLOW_PRIVATE: place });
    const naming = optionsFor({ EGRESS_ALLOW_PRIVATE: '10.0.0.7' });
    expect(egressVariables(naming, parts)).toEqual({ EGRESS_ALLOW_PRIVATE: `10.0.0.7,${place}` });
  });
});

describe('a secret that the environment sets', () => {
  const given = {
    INTERNAL_API_KEY: 'the internal key of this machine, long enough',
    LIVEKIT_API_KEY: 'APIgiven',
    LIVEKIT_API_SECRET: 'the secret of the media server, long enough',
    OBJECT_STORAGE_ACCESS_KEY_ID: 'given',
    OBJECT_STORAGE_SECRET_ACCESS_KEY: 'the secret of the storage',
    TWILIO_AUTH_TOKEN: 'the token of the account',
    WEBHOOK_SIGNING_KEY: 'the key that signs webhooks, long enough',
  };

  it('is the one of the services and of the simulated parts alike', async () => {
    const { parts } = await choose(given);
    expect(parts.liveKit?.internalKey).toBe(given.INTERNAL_API_KEY);
    expect(parts.liveKit?.apiSecret).toBe(given.LIVEKIT_API_SECRET);
    expect(parts.s3?.secretAccessKey).toBe(given.OBJECT_STORAGE_SECRET_ACCESS_KEY);
    expect(parts.twilio?.credentials.authToken).toBe(given.TWILIO_AUTH_TOKEN);
    const told = { ...secretVariables(optionsFor(given).secrets), ...standInVariables(parts) };
    expect(told).toMatchObject(given);
  });

  it('counts as absent when it is empty', async () => {
    const { internalKey } = optionsFor().secrets;
    const { parts } = await choose({ INTERNAL_API_KEY: '' });
    expect(parts.liveKit?.internalKey).toBe(internalKey);
  });
});

describe("MongoDB's own server", () => {
  it('is used where it is installed', async () => {
    const mongod = install('mongod');
    const { parts, mongod: found } = await choose();
    expect(parts.mongo).toBeUndefined();
    expect(found).toBe(mongod);
  });

  it('does not take over a folder whose documents are in the stand-in', async () => {
    await choose();
    install('mongod');
    const { parts, mongod: found } = await choose();
    expect(parts.mongo).toBeDefined();
    expect(found).toBeUndefined();
  });

  it('cannot be missing from a folder that was begun with it', async () => {
    const mongod = install('mongod');
    await choose();
    rmSync(mongod);
    await expect(choose()).rejects.toThrow('not installed any more');
  });
});

describe('real media', () => {
  const programs = ['livekit-server', 'livekit-sip', 'redis-server', 'sipp'];

  it('is used only on demand, whatever is installed', async () => {
    const [server, sip, redis, sipp] = programs.map(install);
    expect(await choose()).toMatchObject({ realMedia: undefined, parts: { liveKit: { timeScale: 1 } } });
    const { parts, realMedia } = await choose({}, true);
    expect(realMedia).toEqual({ sipp, liveKit: { server, sip, redis } });
    expect(parts.liveKit).toBeUndefined();
  });

  it.each(programs)('names %s, where only that is not installed', async (missing) => {
    for (const program of programs) if (program !== missing) install(program);
    await expect(choose({}, true)).rejects.toThrow(missing);
  });

  it('is as much as is installed with --voice, and simulated where nothing is', async () => {
    expect(await chooseVoice()).toMatchObject({ media: 'simulated', browserMedia: undefined });
    const server = install('livekit-server');
    // The packages of the runtime are not part of `npm install`.
    if (missingRuntime() !== undefined)
      return void expect(await chooseVoice()).toMatchObject({ media: 'simulated' });
    expect(await chooseVoice()).toMatchObject({ media: 'browsers', browserMedia: server });
    programs.map(install);
    expect(await chooseVoice()).toMatchObject({ media: 'telephones', browserMedia: undefined });
  });

  it('has the voice runtime, and says how it is installed where it is not', async () => {
    programs.map(install);
    const choice = chooseEngines({ ...optionsFor({}, true), scriptedAgent: false });
    if (missingRuntime() === undefined) await choice;
    else await expect(choice).rejects.toThrow('npm run voice:setup');
  });

  it('is refused beside a LiveKit that the environment names', async () => {
    programs.map(install);
    await expect(choose({ LIVEKIT_URL: 'https://livekit.example' }, true)).rejects.toThrow('LIVEKIT_URL');
  });
});
