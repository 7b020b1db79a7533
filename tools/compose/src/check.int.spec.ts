// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Compose writes its variables so
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { secret } from '@parlance/config';
import { loadRegistry } from '@parlance/registry';
import { z } from 'zod';
import { checkCompose, type Subject } from './check.js';
import { parseCompose } from './compose-file.js';
import { configurationPage } from './configuration-page.js';
import { envExample } from './env-example.js';
import { composeWithDigest } from './nats-configuration.js';
import { processes as platform, runtimes, secrets } from './processes.js';
import { takenByCompose } from './taken-variables.js';
import { variablesOf } from './variables.js';

const processes = [...platform, secrets];
const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const compose = read('docker-compose.yml');
const production = read('deploy/compose/compose.production.yml');
const observability = read('deploy/compose/compose.observability.yml');
const voice = read('deploy/compose/voice.yml');
const configuration = configurationPage([compose, production, observability, voice]).content;
const subject: Subject = {
  compose: [compose],
  envExample: envExample(),
  configuration,
  operations: read('docs/operations.md'),
  processes,
};

const check = (changes: Partial<Subject>): readonly string[] => checkCompose({ ...subject, ...changes });

/** The file with one thing broken; the broken place is there exactly as often as the test says. */
const broken = (find: string | RegExp, replacement: string): readonly string[] => {
  const text = compose.replace(find, replacement);
  if (text === compose) throw new Error(`${String(find)} is not in docker-compose.yml`);
  return check({ compose: [text] });
};

describe('docker-compose.yml', () => {
  it.each([
    ['alone', []],
    ['with three NATS servers', [production]],
    ['with boards and alerts', [observability]],
    ['with both', [production, observability]],
  ])('passes its own check %s', (_, further) => {
    expect(check({ compose: [compose, ...further] })).toEqual([]);
  });

  it('passes its own check with the runtimes, each with the variables that it reads and the time that its conversations take', () => {
    const withRuntimes = { compose: [compose, voice], processes: [...processes, ...runtimes] };
    expect(check(withRuntimes)).toEqual([]);
    const { file } = parseCompose(compose, voice);
    for (const { name, graceSeconds, resources } of loadRegistry().runtimes) {
      const { cpu, memory } = resources.limits;
      expect([
        name,
        file?.services[name]?.stop_grace_period,
        file?.services[name]?.deploy?.resources.limits,
      ]).toEqual([name, `${graceSeconds}s`, { cpus: cpu, memory: memory.replace(/i$/, '') }]);
    }
    const forgotten = voice.replace('      SPEECH_VOICE: ${SPEECH_VOICE:-}\n', '');
    expect(check({ ...withRuntimes, compose: [compose, forgotten] })).toEqual([
      'service voice-runtime is not given SPEECH_VOICE',
    ]);
  });

  it('gives the speech service the variables that it reads in Python', () => {
    const settings = read('runtime/speech/parlance_speech/settings.py');
    const inPython = [...settings.matchAll(/"((?:SPEECH|VOICE)_[A-Z_]+)"/g)].map(([, name]) => name);
    const speech = runtimes.find(({ name }) => name === 'speech');
    expect([...new Set(inPython)].sort()).toEqual(Object.keys(speech?.env.shape ?? {}).sort());
  });

  it.each([
    ['is not YAML', 'services:', 'services: [', 'is not YAML'],
    [
      'has a key that the specification does not know',
      '    read_only: true',
      '    readonly: true',
      'specification',
    ],
    ['lost a service', '  agents-config:\n', '  agents:\n', 'service agents-config is missing'],
    ['floats on latest', 'mongo:8.0.23', 'mongo:latest', 'uses mongo:latest, which names no exact version'],
    ['floats on a minor version', 'redis:8.2.9-alpine', 'redis:8-alpine', 'uses redis:8-alpine'],
    ['names no version', 'livekit/sip:v1.17.0', 'livekit/sip', 'uses livekit/sip, which'],
    ['floats in a default', 'parlance:0.2.0', 'parlance:dev', 'parlance:dev, which names no exact version'],
    [
      'has a service nobody watches',
      /\n {4}healthcheck:\n.*\n.*2113\/health\/live'\]/,
      '',
      'service eventstore has no health check',
    ],
    [
      'lets a process sign in to NATS as another',
      'nats://knowledge:${KNOWLEDGE_NATS_PASSWORD:-}',
      'nats://parlance:${NATS_PASSWORD:-}',
      'service knowledge does not sign in to NATS as knowledge',
    ],
    [
      'would not start NATS anew',
      /NATS_CONFIGURATION: '[0-9a-f]+'/,
      "NATS_CONFIGURATION: 'before'",
      'service nats-1 has not the digest of nats.conf',
    ],
    ['binds a port to the world', "'127.0.0.1:${S3_PORT", "'${S3_PORT", 'service s3 binds'],
    [
      'binds a port to every interface',
      '${MEDIA_HOST:-127.0.0.1}:7881',
      '${MEDIA_HOST:-0.0.0.0}:7881',
      'beyond loopback',
    ],
    [
      'waits for what never comes',
      '  livekit: { condition: service_healthy }',
      '  livekt: { condition: service_healthy }',
      'waits for livekt, which is not there',
    ],
    [
      'does not wait for the end of a one-shot',
      'mongodb-init: { condition: service_completed_successfully }',
      'mongodb-init: { condition: service_started }',
      'waits for mongodb-init to be service_started',
    ],
    ['runs an engine as root', "user: '999:1000'", "user: '0:0'", 'service redis runs as root'],
    ['mounts a volume that is not declared', '- mongodb:/data/db', '- mongo:/data/db', 'mounts mongo, which'],
    [
      'kills a process that drains',
      'stop_grace_period: 60s',
      'stop_grace_period: 10s',
      'service knowledge is given 10 s to leave, and needs 60 s',
    ],
    [
      'kills a process that waits for a slow tool',
      'command: [mcp-hub]\n    stop_grace_period: 335s',
      'command: [mcp-hub]\n    stop_grace_period: 60s',
      'service mcp-hub is given 60 s to leave, and needs 335 s',
    ],
    [
      'takes a variable that is not described',
      '${OBJECT_STORAGE_BUCKET:-parlance}',
      '${BUCKET:-parlance}',
      '${BUCKET} is not described',
    ],
    [
      'forgets a secret',
      '      ORGANIZATIONS: ${ORGANIZATIONS:-}\n      SETUP_CODE: ${SETUP_CODE:-}\n',
      '',
      'service gateway is not given SETUP_CODE',
    ],
    [
      'forgets an optional variable',
      '      CONSOLE_ORIGINS: ${CONSOLE_ORIGINS:-}\n',
      '',
      'service gateway is not given CONSOLE_ORIGINS',
    ],
    [
      'lets a required variable be empty',
      'GATEWAY_URL: http://gateway:4700',
      'GATEWAY_URL: ${GATEWAY_URL:-}',
      'may be started with an empty GATEWAY_URL',
    ],
    [
      'gives a secret a default',
      'MCP_CONFIRMATION_KEY: ${MCP_CONFIRMATION_KEY:-}\n    depends_on',
      'MCP_CONFIRMATION_KEY: ${MCP_CONFIRMATION_KEY:-0123456789}\n    depends_on',
      'the secret MCP_CONFIRMATION_KEY has a default',
    ],
    [
      'tells a service what is not its business',
      '      HOST: 0.0.0.0\n',
      '      HOST: 0.0.0.0\n      KEK: ${KEK:-}\n',
      'service gateway is given KEK, which it does not read',
    ],
    [
      'sets what is for tests',
      '      MAX_CONCURRENT_DIALS:',
      '      CRASH_AT: ""\n      MAX_CONCURRENT_DIALS:',
      'is given CRASH_AT, which is for tests',
    ],
    [
      'runs another process',
      'command: [calls-logs]',
      'command: [gateway]',
      'service calls-logs runs another process',
    ],
    [
      'has an engine without a home',
      '      HOME: /tmp\n      REDIS_PASSWORD: ${REDIS_PASSWORD:-}\n    tmpfs',
      '      REDIS_PASSWORD: ${REDIS_PASSWORD:-}\n    tmpfs',
      'service redis has no home to write to',
    ],
    [
      'has an engine without scratch files',
      "    tmpfs: ['/tmp:size=64m,mode=1777']\n    volumes: ['secrets-redis",
      "    volumes: ['secrets-redis",
      'service redis has no /tmp to write to',
    ],
    [
      'takes more memory than the documentation says',
      "cpus: '0.5', memory: 256M } }\n\n  # Makes no room",
      "cpus: '0.5', memory: 512M } }\n\n  # Makes no room",
      'is not what docs/operations.md says: 20 containers',
    ],
    [
      'gives the root secret to an engine',
      "volumes: ['secrets-redis:/run",
      "volumes: ['secrets:/run",
      'service redis mounts the volume with the root secret',
    ],
    [
      'puts the root secret into an environment',
      '      OTEL_SERVICE_NAME: knowledge\n',
      '      OTEL_SERVICE_NAME: knowledge\n      ROOT_SECRET: ${ROOT_SECRET:-}\n',
      'service knowledge is given ROOT_SECRET in its environment',
    ],
    [
      'does not start without a .env',
      '${SIGN_UP:-}',
      '${SIGN_UP:?open or invite}',
      '${SIGN_UP} has to be set',
    ],
    [
      'lets a one-shot try without end',
      "  restart: 'no'\n\nx-health",
      '  restart: on-failure\n\nx-health',
      'waits for volumes to be service_completed_successfully instead',
    ],
    [
      'lets an engine take all memory',
      /\n {4}deploy:\n.*memory: 2G.*/,
      '',
      'service eventstore has no limits',
    ],
  ])('is refused when it %s', (_, find, replacement, problem) => {
    expect(broken(find, replacement).join('\n')).toContain(problem);
  });

  it('is refused when a process of the registry is in no compose service', () => {
    const billing = { name: 'billing', env: z.object({}) };
    expect(check({ processes: [...subject.processes, billing] })).toContain('service billing is missing');
  });

  it('is refused when .env.example gives a secret away', () => {
    const leaked = subject.envExample.replace('#TELNYX_API_KEY=', '#TELNYX_API_KEY=KEY0123');
    expect(check({ envExample: leaked })).toContain('.env.example has a value for the secret TELNYX_API_KEY');
  });
});

describe('composeWithDigest', () => {
  it('puts the digest of nats.conf where the check asks for it, whatever stands there', () => {
    const stale = compose.replace(/NATS_CONFIGURATION: '[0-9a-f]+'/, "NATS_CONFIGURATION: 'before'");
    expect(stale).not.toBe(compose);
    expect(composeWithDigest('docker-compose.yml', stale)).toEqual({
      path: 'docker-compose.yml',
      content: compose,
    });
  });
});

describe('docs/configuration.md', () => {
  it('describes every variable of every process, except those for tests, once', () => {
    const names = [...configuration.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { env } of processes)
      for (const { name, testOnly } of variablesOf(env))
        expect([name, names.includes(name)]).toEqual([name, testOnly !== true]);
  });
});

describe('.env.example', () => {
  it('has at most 16 settings, none of them set, each with a sentence', () => {
    const settings = [...envExample().matchAll(/^# (.*)\n#([A-Z][A-Z0-9_]*)=/gm)];
    expect(settings.length).toBeGreaterThan(12);
    expect(settings.length).toBeLessThanOrEqual(16);
    expect(envExample()).not.toMatch(/^[A-Z]/m);
    for (const [, about] of settings) expect(about).toMatch(/\.( Make one: .*)?$/);
  });
});

describe('variablesOf', () => {
  it('knows a secret that may be left out, and how one is made', () => {
    const [variable] = variablesOf(z.object({ TOKEN: secret(32).optional().describe('A token.') }));
    expect(variable).toMatchObject({ secret: true, isRequired: false, make: 'openssl rand -base64 32' });
  });

  it('refuses a variable that nobody described, by name', () => {
    expect(() => variablesOf(z.object({ BARE: z.string().describe('lost').optional() }))).toThrow(
      'BARE has no description',
    );
  });
});

describe('takenByCompose', () => {
  it('knows defaults and what has none, and leaves dollars of shells and comments alone', () => {
    const text = '# ${COMMENT}\na: ${A:-1} ${A:-1} ${B:?say} $C "$$SHELL" "$$$D" ${E:-}\n';
    expect(Object.fromEntries(takenByCompose(text))).toEqual({
      A: { otherwise: '1', isRequired: false },
      B: { otherwise: undefined, isRequired: true },
      C: { otherwise: undefined, isRequired: true },
      D: { otherwise: undefined, isRequired: true },
      E: { otherwise: '', isRequired: false },
    });
  });
});
