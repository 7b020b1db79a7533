// The chart rendered by Helm, held against the overlay for production. Skipped where `helm` is not on the PATH.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { podProblems } from '../check/pods.js';
import type { Manifest } from '../manifest.js';
import { findOnPath } from '../testing/programs.js';
import { currentSubject } from '../testing/subject.js';

const helm = findOnPath('helm');
const chart = fileURLToPath(new URL('../../../../deploy/kubernetes/chart', import.meta.url));

const run = (...args: readonly string[]): string =>
  execFileSync(helm ?? 'helm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const render = (...args: readonly string[]): readonly Manifest[] =>
  parseAllDocuments(run('template', 'parlance', chart, '--kube-version=1.34.0', ...args)).map(
    (document): Manifest => document.toJS(),
  );

/** The manifest without the fields in which the two ways of installing differ on purpose. */
const comparable = (manifest: unknown): unknown =>
  JSON.parse(
    JSON.stringify(manifest, (key, value: unknown) => {
      const isOfOneWay =
        ['checksum/config', 'replicas'].includes(key) || (key === 'annotations' && isEmpty(value));
      return isOfOneWay ? undefined : value;
    }),
  );
const isEmpty = (value: unknown): boolean =>
  Object.keys(Object(value)).every((key) => key === 'checksum/config');

const named = (manifests: readonly Manifest[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata?.name}`, comparable(manifest)]),
  );

(helm === undefined ? describe.skip : describe)('the chart', () => {
  const { platform } = currentSubject();
  const production = platform.overlays.find(({ facts }) => facts.name === 'production');
  const expected = [
    ...Object.values(platform.base).flat(),
    ...Object.values(production?.objects ?? {}).flat(),
  ].filter(({ kind }) => kind !== 'Namespace');

  it('makes the objects of the overlay for production, and its two lists', () => {
    const rendered = named(render());
    const { 'ConfigMap parlance': settings, 'ConfigMap parlance-engines': engines, ...others } = rendered;
    const Lists = z.object({ data: z.record(z.string(), z.string()) });
    expect(Lists.parse(settings).data).toEqual(production?.facts.settings);
    expect(Lists.parse(engines).data).toEqual(production?.facts.engines);
    const {
      'Job provision-1': job,
      'Job migrate-1': hook,
      'ServiceAccount migrate': account,
      ...rest
    } = others;
    expect(job).toMatchObject({ kind: 'Job' });
    // Helm runs it to its end before it changes any process.
    for (const object of [hook, account])
      expect(object).toMatchObject({ metadata: { annotations: { 'helm.sh/hook': 'pre-upgrade' } } });
    const {
      'Job provision': plainJob,
      'Job migrate': plainMigrate,
      'ServiceAccount migrate': _plainAccount,
      ...wanted
    } = named(expected);
    expect([plainJob, plainMigrate]).toMatchObject([{ kind: 'Job' }, { kind: 'Job' }]);
    const users = ['Deployment calls-logs', 'Deployment outbound-dialer'];
    const withoutUsers = (objects: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(Object.entries(objects).filter(([name]) => !users.includes(name)));
    expect(withoutUsers(rest)).toEqual(withoutUsers(wanted));
    expect(
      users.every((name) => JSON.stringify(rest[name]).includes('esdb://parlance:$(EVENTSTORE_PASSWORD)@')),
    ).toBe(true);
  });

  it('passes the rules for pods', () => {
    expect(podProblems(render())).toEqual([]);
  });

  it('takes an image, a host, copies and peers from its values', () => {
    const text = JSON.stringify(
      render(
        '--set=image.repository=registry.example.com/voice,image.tag=9.8.7,host=voice.example.com,copies.widgets=5',
        '--set-json=reach.nats={"to":[{"ipBlock":{"cidr":"192.0.2.0/24"}}],"ports":[{"port":4223,"protocol":"TCP"}]}',
        '--set=keda.enabled=false',
      ),
    );
    expect(text).toContain('"image":"registry.example.com/voice:9.8.7"');
    expect(text).not.toContain('parlance:0.1.0');
    expect(text).toContain('"host":"voice.example.com"');
    expect(text).toContain('"replicas":5');
    expect(text).toContain(
      '{"to":[{"ipBlock":{"cidr":"192.0.2.0/24"}}],"ports":[{"port":4223,"protocol":"TCP"}]}',
    );
    expect(text).not.toContain('ScaledObject');
  });

  it.each([
    ['a value that it does not know', '--set=imgae.tag=1'],
    ['no copies', '--set=copies.widgets=0'],
    ['a setting that is no text', '--set-json=settings.TRUST_PROXY_HOPS=1'],
  ])('refuses %s', (_, argument) => {
    expect(() => render(argument)).toThrow("values don't meet the specifications of the schema");
  });

  it('is what Helm takes for a good chart', () => {
    expect(run('lint', '--strict', chart)).toContain('0 chart(s) failed');
  });
});
