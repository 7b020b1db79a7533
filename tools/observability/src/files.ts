// The files that Prometheus and Grafana read, written by `npm run gen`.
import compact from 'json-stringify-pretty-compact';
import { stringify } from 'yaml';
import { alerts } from './alerts.js';
import { boards } from './boards.js';

export interface MonitoringFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
}

const folder = 'deploy/observability';

const rules = {
  groups: [
    {
      name: 'parlance',
      rules: alerts.map(({ name, expr, for: holds, severity, summary, runbook }) => ({
        alert: name,
        expr,
        for: holds,
        labels: { severity },
        annotations: { summary, runbook: `docs/runbooks/${runbook}.md` },
      })),
    },
  ],
};

export const monitoringFiles = (): readonly MonitoringFile[] => [
  {
    path: `${folder}/prometheus/alerts.yml`,
    content: `# Written by \`npm run gen\` from tools/observability/src/alerts.ts. Change it there.\n${stringify(rules, { lineWidth: 0 })}`,
  },
  ...boards.map((board) => ({
    path: `${folder}/grafana/boards/${board.uid}.json`,
    content: `${compact(board, { maxLength: 140 })}\n`,
  })),
];
