import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type Manifest, nameOf } from '../manifest.js';
import type { Platform } from '../platform.js';
import { currentSubject } from '../testing/subject.js';
import { checkKubernetes, type Subject } from './check.js';

const subject = currentSubject();
const check = (changes: Partial<Subject>): string => checkKubernetes({ ...subject, ...changes }).join('\n');

const Changeable = z.record(z.string(), z.unknown());
type Changeable = z.output<typeof Changeable>;

/** The manifests with one object changed, wherever it is; the object is there. */
const changed = (kind: string, name: string, change: (manifest: Changeable) => void): string => {
  let found = 0;
  const apply = (
    objects: Readonly<Record<string, readonly Manifest[]>>,
  ): Readonly<Record<string, readonly Manifest[]>> =>
    Object.fromEntries(
      Object.entries(objects).map(([file, manifests]) => [
        file,
        manifests.map((manifest) => {
          if (manifest.kind !== kind || nameOf(manifest) !== name) return manifest;
          found += 1;
          const copy: Manifest = structuredClone(manifest);
          change(Changeable.parse(copy));
          return copy;
        }),
      ]),
    );
  const { base, overlays } = subject.platform;
  const platform: Platform = {
    ...subject.platform,
    base: apply(base),
    overlays: overlays.map((overlay) => ({ ...overlay, objects: apply(overlay.objects) })),
  };
  if (found === 0) throw new Error(`${kind} ${name} is not in the manifests`);
  return check({ platform });
};

/** Goes down a path of keys and sets the last one; undefined takes it away. */
const set =
  (path: readonly (string | number)[], value: unknown) =>
  (manifest: Changeable): void => {
    const parent = path.slice(0, -1).reduce<unknown>((node, key) => Reflect.get(Object(node), key), manifest);
    if (typeof parent !== 'object' || parent === null) throw new Error(`${path.join('.')} is not there`);
    Reflect.set(parent, path.at(-1) ?? '', value);
  };

const pod = ['spec', 'template', 'spec'];
const main = [...pod, 'containers', 0];

describe('the manifests', () => {
  it('pass their own check', () => {
    expect(checkKubernetes(subject)).toEqual([]);
  });

  it.each([
    [
      'has a field of the wrong type',
      ['spec', 'progressDeadlineSeconds'],
      'ten',
      'does not fit the schema of Deployment',
    ],
    ['runs as root', [...pod, 'securityContext', 'runAsNonRoot'], false, 'may run as root'],
    [
      'has no seccomp profile',
      [...pod, 'securityContext', 'seccompProfile'],
      undefined,
      'has no seccomp profile',
    ],
    ['keeps capabilities', [...main, 'securityContext', 'capabilities'], {}, 'keeps capabilities'],
    [
      'may gain privileges',
      [...main, 'securityContext', 'allowPrivilegeEscalation'],
      true,
      'may gain privileges',
    ],
    ['writes to its file system', [...main, 'securityContext', 'readOnlyRootFilesystem'], false, 'may write'],
    ['gets a token', [...pod, 'automountServiceAccountToken'], true, 'gets a token for the API server'],
    ['takes all memory', [...main, 'resources', 'limits'], {}, 'has no limit of memory'],
    ['floats on latest', [...main, 'image'], 'parlance:latest', 'names no exact version'],
    [
      'runs another version than compose',
      [...main, 'image'],
      'parlance:9.9.9',
      'not what docker-compose.yml runs',
    ],
    [
      'is asked on a port it lacks',
      [...main, 'readinessProbe', 'httpGet'],
      { path: '/', port: 'web' },
      'on port web',
    ],
    [
      'is not asked whether it lives',
      [...main, 'livenessProbe'],
      undefined,
      'not watched by all three probes',
    ],
    ['is killed while it drains', [...pod, 'terminationGracePeriodSeconds'], 20, 'is given 20 s to leave'],
    ['runs as nobody known', [...pod, 'serviceAccountName'], 'admin', 'is no service account'],
    ['is given nothing', [...main, 'env'], [], 'gateway is not given AUTH_SECRET'],
  ])('are refused when a process %s', (_, path, value, problem) => {
    expect(changed('Deployment', 'gateway', set(path, value))).toContain(problem);
  });

  const env = (name: string, value: unknown) => (manifest: Changeable) => {
    const list: unknown = [...main, 'env'].reduce<unknown>(
      (node, key) => Reflect.get(Object(node), key),
      manifest,
    );
    const variables = z.array(z.looseObject({ name: z.string() })).parse(list);
    const others = variables.filter((variable) => variable.name !== name);
    set([...main, 'env'], value === undefined ? others : [{ name, ...Object(value) }, ...others])(manifest);
  };

  it.each([
    ['a required variable is forgotten', env('AUTH_SECRET', undefined), 'gateway is not given AUTH_SECRET'],
    [
      'a variable is given that the process does not read',
      env('KEK', { value: 'x' }),
      'gateway is given KEK',
    ],
    [
      'a secret is written into the file',
      env('AUTH_SECRET', { value: 'x' }),
      'holds the secret AUTH_SECRET in clear',
    ],
    [
      'a secret is kept among the settings',
      env('AUTH_SECRET', { valueFrom: { configMapKeyRef: { name: 'parlance', key: 'AUTH_SECRET' } } }),
      'from somewhere else than the Secret',
    ],
    [
      'a required secret may be absent',
      env('AUTH_SECRET', {
        valueFrom: { secretKeyRef: { name: 'parlance', key: 'AUTH_SECRET', optional: true } },
      }),
      'may be started without AUTH_SECRET',
    ],
    [
      'a variable is used before it is there',
      env('NATS_URL', { value: 'nats://$(NATS_ADDRESS)' }),
      'takes $(NATS_ADDRESS)',
    ],
  ])('are refused when %s', (_, change, problem) => {
    expect(changed('Deployment', 'gateway', change)).toContain(problem);
  });

  it('are refused when an overlay leaves out, invents or shows a setting', () => {
    const withSettings = (settings: Readonly<Record<string, string>>): string =>
      check({
        platform: {
          ...subject.platform,
          overlays: subject.platform.overlays.map((overlay) => ({
            ...overlay,
            facts: { ...overlay.facts, settings },
          })),
        },
      });
    const settings = subject.platform.overlays[0]?.facts.settings ?? {};
    const { KEK_ID: _, ...rest } = settings;
    expect(withSettings(rest)).toContain('overlay production gives no value to KEK_ID');
    expect(withSettings({ ...settings, COLOUR: 'red' })).toContain('sets COLOUR, which no process reads');
    expect(withSettings({ ...settings, KEK: 'x' })).toContain('sets the secret KEK in clear');
  });

  it('bring every key that the store has, so that provider accounts and mail work with External Secrets', () => {
    const { spec } = subject.platform.secret;
    expect(spec.dataFrom).toEqual([{ extract: { key: 'parlance' } }]);
    expect(spec.data.map(({ secretKey }) => secretKey)).not.toContain('TWILIO_AUTH_TOKEN');
    const without = { ...subject.platform.secret, spec: { ...spec, dataFrom: [] } };
    expect(check({ platform: { ...subject.platform, secret: without } })).toContain(
      'component external-secrets does not fit',
    );
  });

  it('are refused when the most copies of a rollout want more connections than Postgres allows', () => {
    const allowing = (connections: number): string =>
      check({
        postgres: subject.postgres.replace(/max_connections: "\d+"/, `max_connections: "${connections}"`),
      });
    expect(allowing(500)).toContain('engines/postgres.yaml allows 500 connections, which is too few');
    expect(check({ postgres: '' })).toContain('engines/postgres.yaml allows NaN connections');
  });

  it('are refused when a scaler asks for a metric that no process has', () => {
    const query = ['spec', 'triggers', 0, 'metadata', 'query'];
    expect(changed('ScaledObject', 'mcp-hub', set(query, 'sum(parlance_rpc_moods{})'))).toContain(
      '"parlance_rpc_moods"',
    );
  });

  it('collect the metrics of every process under the name that the alerts know', () => {
    const { monitoring } = subject.platform;
    const withMonitor = (change: (manifest: Changeable) => void): string => {
      const copy: Record<string, readonly Manifest[]> = structuredClone({ ...monitoring });
      for (const manifest of Object.values(copy).flat())
        if (manifest.kind === 'PodMonitor') change(Changeable.parse(manifest));
      return check({ platform: { ...subject.platform, monitoring: copy } });
    };
    const endpoint = ['spec', 'podMetricsEndpoints', 0];
    expect(withMonitor(set([...endpoint, 'port'], 'http'))).toContain('collects the metrics of widgets');
    expect(withMonitor(set(['spec', 'selector', 'matchLabels'], { app: 'parlance' }))).toContain(
      'no PodMonitor collects the metrics of gateway',
    );
    expect(withMonitor(set([...endpoint, 'relabelings'], []))).toContain(
      'the alert ParlanceProcessDown asks for the job parlance, which no PodMonitor gives',
    );
    expect(withMonitor(set([...endpoint, 'ports'], 1))).toContain('does not fit the schema of PodMonitor');
  });

  it('are refused when a process of ours is in no workload, and when it reads an address that nobody sorted', () => {
    expect(check({ folders: [...subject.folders, 'billing'] })).toContain('billing is not in');
    const processes = subject.processes.map((process) =>
      process.name === 'widgets'
        ? { ...process, env: process.env.extend({ PARTY_URL: z.string().optional().describe('A party.') }) }
        : process,
    );
    expect(check({ processes })).toContain(
      'widgets reads PARTY_URL, and addresses.ts does not say where that leads',
    );
  });

  it('are refused when a process reads the address of an engine that the table does not let it reach', () => {
    const processes = subject.processes.map((process) =>
      process.name === 'widgets'
        ? { ...process, env: process.env.extend({ MONGODB_URL: z.string().optional().describe('MongoDB.') }) }
        : process,
    );
    expect(check({ processes })).toContain('widgets reads an address of mongodb');
  });
});
