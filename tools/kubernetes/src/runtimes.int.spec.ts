// The runtimes as the chart renders them where they are enabled. Skipped where `helm` is not on the PATH.
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runtimes } from '@parlance/compose';
import { loadRegistry } from '@parlance/registry';
import { type INetworkPolicy, type Manifest, manifestsIn, nameOf } from './chart/manifest.js';
import { findOnPath } from './chart/programs.js';
import { type Pod, podProblems, podsOf } from './check/pods.js';
import { schemaProblems } from './check/schemas.js';
import { environmentProblems } from './check/variables.js';
import { chart, helmTemplate } from './render.js';
import { networkToPut } from './testing/fixtures.js';
import { type End, isAllowed } from './testing/reachability.js';

const helm = findOnPath('helm');
const enabled = ['textRuntime', 'voiceRuntime', 'speech'].map(
  (name) => `--set=processes.${name}.enabled=true`,
);
const render = (...args: readonly string[]): readonly Manifest[] => manifestsIn(helmTemplate(args));
const own = 'parlance';
const names = ['text-runtime', 'voice-runtime', 'speech'];

(helm === undefined ? describe.skip : describe)('the runtimes of the chart', () => {
  it('are off unless they are enabled', () => {
    const owners = podsOf(render()).map(({ owner }) => owner);
    expect(owners.filter((owner) => names.includes(owner))).toEqual([]);
  });

  describe.each([
    ['production', []],
    ['a single node', [`--values=${join(chart, 'values-single-node.yaml')}`]],
  ])('in %s', (rendering, values) => {
    const manifests = helm === undefined ? [] : render(...values, ...enabled);
    const podOf = (name: string): Pod => {
      const pod = podsOf(manifests).find(({ owner }) => owner === name);
      if (pod === undefined) throw new Error(`${name} has no pod`);
      return pod;
    };
    const policies = manifests
      .flatMap((manifest): readonly INetworkPolicy[] => (manifest.kind === 'NetworkPolicy' ? [manifest] : []))
      .map((policy) =>
        JSON.parse(JSON.stringify(policy), (_, value: unknown) =>
          value === networkToPut ? '192.0.2.0/24' : value,
        ),
      );
    const end = (name: string): End => ({ name, namespace: own, labels: podOf(name).labels });
    const media = (): End =>
      rendering === 'production' ? { name: 'livekit', address: '192.0.2.5' } : end('livekit');
    const internet: End = { name: 'internet', address: '203.0.113.7' };
    const allowed = (from: End, to: End, port: number, protocol?: 'UDP'): boolean =>
      isAllowed(policies, own, { from, to, port, ...(protocol === undefined ? {} : { protocol }) });

    it('fit the schemas of their kinds, the rules for pods and the variables that they read', () => {
      const ours = manifests.filter((manifest) => names.some((name) => nameOf(manifest).includes(name)));
      expect(ours.flatMap(schemaProblems)).toEqual([]);
      expect(
        podProblems(manifests).filter((problem) => names.some((name) => problem.includes(name))),
      ).toEqual([]);
      expect(environmentProblems(runtimes, manifests)).toEqual([]);
    });

    it('have images of their own where they are other programs, and the time that their conversations take', () => {
      const { runtimes: rows } = loadRegistry();
      expect(
        rows.map(({ name }) => {
          const { spec } = podOf(name);
          return [name, spec.containers[0]?.image?.split(':')[0], spec.terminationGracePeriodSeconds];
        }),
      ).toEqual(
        rows.map(({ name, image, graceSeconds }) => [
          name,
          image === undefined ? 'parlance' : `parlance-${image}`,
          graceSeconds,
        ]),
      );
    });

    it('let the voice runtime reach LiveKit and its sound, the gateway, speech and vendors, and nothing else', () => {
      const voice = end('voice-runtime');
      expect([
        allowed(voice, media(), 7880),
        allowed(voice, media(), rendering === 'production' ? 50_100 : 7882, 'UDP'),
        allowed(voice, end('gateway'), 4710),
        allowed(voice, end('speech'), 4760),
        allowed(voice, internet, 443),
      ]).toEqual([true, true, true, true, true]);
      expect([
        allowed(voice, end('gateway'), 4700),
        allowed(voice, end('calls-logs'), 9464),
        allowed(end('speech'), end('gateway'), 4710),
        allowed(end('widgets'), end('speech'), 4760),
      ]).toEqual([false, false, false, false]);
    });

    it('answer text for widgets alone, and show Prometheus their metrics', () => {
      expect(allowed(end('widgets'), end('text-runtime'), 8080)).toBe(true);
      expect(allowed(end('calls-logs'), end('text-runtime'), 8080)).toBe(false);
      const prometheus: End = { name: 'prometheus', namespace: 'monitoring', labels: {} };
      expect(
        [
          ['text-runtime', 9464],
          ['voice-runtime', 9464],
          ['speech', 4760],
        ].map(([name, port]) => allowed(prometheus, end(String(name)), Number(port))),
      ).toEqual([true, true, true]);
    });
  });
});
