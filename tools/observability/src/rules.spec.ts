import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { catalogue, prometheusLabel, prometheusName, runtimeNames } from '@parlance/metrics';
import { parse } from 'yaml';
import { alerts } from './alerts.js';
import { boards } from './boards.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const names = new Set(
  catalogue.flatMap(({ name, unit, kind }) => {
    const plain = prometheusName(name, unit, kind);
    return kind === 'histogram' ? [`${plain}_bucket`, `${plain}_count`, `${plain}_sum`] : [plain];
  }),
);
const labels = new Set(catalogue.flatMap((row) => Object.keys(row.labels).map(prometheusLabel)));
/** The labels that Prometheus itself adds. */
const ofPrometheus = new Set(['up', 'job', 'instance', 'le']);
const words = /(?:parlance|http|rpc|process|db|v8js|nodejs|error)_[a-z0-9_]+/g;

const namedIn = (text: string): readonly string[] => text.match(words) ?? [];
const queries = [
  ...alerts.map(({ name, expr }) => [name, expr] as const),
  ...boards.flatMap((board) =>
    board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ),
];

describe('alert rules and boards', () => {
  it.each(queries)('%s asks for metrics and labels of the catalogue alone', (_, expr) => {
    const unknown = namedIn(expr).filter(
      (word) => !names.has(word) && !labels.has(word) && !ofPrometheus.has(word),
    );
    expect(unknown).toEqual([]);
  });

  it('a sentence of an alert names labels that its query leaves', () => {
    for (const { summary, expr } of alerts)
      for (const [, label = ''] of summary.matchAll(/\$labels\.(\w+)/g)) {
        const grouped = /by \(([^)]*)\)/.exec(expr)?.[1];
        if (grouped !== undefined) expect(grouped.split(', ')).toContain(label);
      }
  });

  it('every alert has a page, and every page an alert', () => {
    const pages = new Set(alerts.map(({ runbook }) => `${runbook}.md`));
    for (const page of pages) expect(existsSync(join(root, 'docs/runbooks', page))).toBe(true);
    expect(readdirSync(join(root, 'docs/runbooks')).filter((page) => !pages.has(page))).toEqual([]);
  });

  it('Prometheus asks every process and runtime that the compose files run with an ops listener', () => {
    const [platform, voice] = ['docker-compose.yml', 'deploy/compose/voice.yml'].map((path) =>
      parse(read(path), { merge: true, maxAliasCount: -1 }),
    );
    const compose = { services: { ...voice.services, ...platform.services } };
    const listening = Object.entries<{ environment?: Record<string, unknown> }>(compose.services)
      .filter(([, { environment }]) => environment?.OPS_PORT !== undefined)
      .map(([name]) => name);
    const [scraped] = parse(read('deploy/observability/prometheus/prometheus.yml')).scrape_configs;
    const [lookup] = scraped.dns_sd_configs;
    expect([...lookup.names].sort()).toEqual(listening.sort());
    for (const name of listening)
      expect(Number(compose.services[name].environment.OPS_PORT)).toBe(lookup.port);
  });

  it('every process that Prometheus asks is missed when its last copy is gone', () => {
    const [scraped] = parse(read('deploy/observability/prometheus/prometheus.yml')).scrape_configs;
    const [lookup] = scraped.dns_sd_configs;
    const exprOf = (alert: string) => alerts.find(({ name }) => name === alert)?.expr;
    const isRuntime = (name: string): boolean => runtimeNames.some((runtime) => runtime === name);
    for (const name of lookup.names)
      if (isRuntime(name)) expect(exprOf('ParlanceRuntimeGone')).toContain(name);
      else
        expect(exprOf('ParlanceProcessGone')).toContain(`absent(parlance_ready{parlance_process="${name}"})`);
  });

  it('names no alert and no board twice', () => {
    const all = [...alerts.map(({ name }) => name), ...boards.map(({ uid }) => uid)];
    expect(new Set(all).size).toBe(all.length);
  });
});
