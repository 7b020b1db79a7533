import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { nameOf } from './chart/manifest.js';
import { checkKubernetes, type Subject } from './check/check.js';
import { currentSubject } from './index.js';

const subject = currentSubject();
const check = (changes: Partial<Subject>): string => checkKubernetes({ ...subject, ...changes }).join('\n');

const Changeable = z.record(z.string(), z.unknown());
type Changeable = z.output<typeof Changeable>;

/** The manifests for production with one object changed; the object is there. */
const changed = (kind: string, name: string, change: (manifest: Changeable) => void): string => {
  const { production = [] } = subject.renderings;
  const original = production.find((manifest) => manifest.kind === kind && nameOf(manifest) === name);
  if (original === undefined) throw new Error(`${kind} ${name} is not in the manifests`);
  const copy = structuredClone(original);
  change(Changeable.parse(copy));
  return check({
    renderings: { production: production.map((manifest) => (manifest === original ? copy : manifest)) },
  });
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
    ['has no limits', [...main, 'resources', 'limits'], {}, 'has no limit of memory'],
    ['floats on latest', [...main, 'image'], 'parlance:latest', 'names no exact version'],
    [
      'runs another version than compose',
      [...main, 'image'],
      'parlance:9.9.9',
      'not what docker-compose.yml runs',
    ],
    [
      'is probed on a port that it lacks',
      [...main, 'readinessProbe', 'httpGet'],
      { path: '/', port: 'web' },
      'on port web',
    ],
    [
      'has no liveness probe',
      [...main, 'livenessProbe'],
      undefined,
      'lacks a startup, readiness or liveness probe',
    ],
    [
      'is killed while it drains',
      [...pod, 'terminationGracePeriodSeconds'],
      20,
      'has a grace period of 20 s',
    ],
    ['runs as an unknown account', [...pod, 'serviceAccountName'], 'admin', 'is no service account'],
    ['has no environment', [...main, 'env'], [], 'gateway is not given AUTH_SECRET'],
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
      'has the secret AUTH_SECRET in clear',
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
      'references $(NATS_ADDRESS) before it is defined',
    ],
  ])('are refused when %s', (_, change, problem) => {
    expect(changed('Deployment', 'gateway', change)).toContain(problem);
  });

  it.each([
    ['leaves a required setting out', { KEK_ID: undefined }, 'agents-config is not given KEK_ID'],
    ['has a setting that no process reads', { COLOUR: 'red' }, 'the setting COLOUR is read by no process'],
    ['shows a secret', { KEK: 'x' }, 'the secret KEK is in a ConfigMap'],
  ])('are refused when a ConfigMap %s', (_, data, problem) => {
    const change = (manifest: Changeable) => {
      for (const [name, value] of Object.entries(data)) {
        if (value === undefined) Reflect.deleteProperty(Object(manifest.data), name);
        else Reflect.set(Object(manifest.data), name, value);
      }
    };
    expect(changed('ConfigMap', 'parlance', change)).toContain(problem);
  });

  it('are refused when the replicas of a rollout need more connections than Postgres allows', () => {
    const allowing = (connections: number): string =>
      check({
        postgres: subject.postgres.replace(/max_connections: "\d+"/, `max_connections: "${connections}"`),
      });
    expect(allowing(500)).toContain('engines/postgres.yaml allows 500 connections, which is too few');
    expect(check({ postgres: '' })).toContain('engines/postgres.yaml allows NaN connections');
  });

  it('are refused when a scaler queries a metric that no process has', () => {
    const query = ['spec', 'triggers', 0, 'metadata', 'query'];
    expect(changed('ScaledObject', 'mcp-hub', set(query, 'sum(parlance_rpc_moods{})'))).toContain(
      '"parlance_rpc_moods"',
    );
  });

  it('are refused when a process has no workload', () => {
    const billing = { name: 'billing', env: z.object({}) };
    expect(check({ processes: [...subject.processes, billing] })).toContain('billing has no workload');
  });

  it('are refused when a process reads an address whose destination is unknown', () => {
    const processes = subject.processes.map((process) =>
      process.name === 'widgets'
        ? { ...process, env: process.env.extend({ PARTY_URL: z.string().optional().describe('A party.') }) }
        : process,
    );
    expect(check({ processes })).toContain(
      'widgets reads PARTY_URL, and environment.ts does not say where that leads',
    );
  });

  it('are refused when a process reads the address of an engine that its row does not let it reach', () => {
    const processes = subject.processes.map((process) =>
      process.name === 'widgets'
        ? { ...process, env: process.env.extend({ MONGODB_URL: z.string().optional().describe('MongoDB.') }) }
        : process,
    );
    expect(check({ processes })).toContain('widgets reads an address of mongodb');
  });
});
