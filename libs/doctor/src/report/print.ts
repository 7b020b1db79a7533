// A report for people: a table in a terminal, plain lines elsewhere. It leaves healthy things out unless asked for
// them.
import Table from 'cli-table3';
import type { Finding, Looked, Report } from './report.js';

export interface PrintOptions {
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** True: healthy things are listed too. */
  readonly isVerbose: boolean;
}

const leastColumns = 80;
const firstColumn = 34;

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const processesOf = ({ processes }: Pick<Finding, 'processes'>): string => processes.join(', ');

const adviceOf = ({ advice, link }: Finding): string =>
  link === undefined ? advice : `${advice} See ${link}.`;

const asTable = (findings: readonly Finding[], columns: number): string => {
  const rest = Math.max(columns, leastColumns) - firstColumn - 4;
  const table = new Table({
    head: ['finding', 'evidence and remedy'],
    colWidths: [firstColumn, rest],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const finding of findings) {
    const { severity, code, subject, says, seen } = finding;
    table.push([
      `${severity}: ${subject}\n${code}\n(${processesOf(finding)})`,
      `${says} ${seen}\nTo do: ${adviceOf(finding)}`,
    ]);
  }
  return table.toString();
};

const asLines = (findings: readonly Finding[]): string =>
  findings
    .map((finding) =>
      [
        `${finding.severity} ${finding.code} ${finding.subject} (${processesOf(finding)})`,
        `  ${finding.says} ${finding.seen}`,
        `  To do: ${adviceOf(finding)}`,
      ].join('\n'),
    )
    .join('\n');

const lineOf = (looked: Looked): string => {
  const told = looked.notes.length === 0 ? 'done' : looked.notes.join(' ');
  return `${looked.check} (${processesOf(looked)}; ${looked.tookMs} ms): ${told}`;
};

const summaryOf = ({ findings, looked, tookMs }: Report): string => {
  const took = `${plural(looked.length, 'check')} in ${(tookMs / 1_000).toFixed(1)} s`;
  if (findings.length === 0) return `Nothing is wrong: ${took}.`;
  const broken = findings.filter(({ severity }) => severity === 'broken').length;
  return `${plural(findings.length, 'finding')}, ${broken} of them broken now: ${took}.`;
};

export const printed = (report: Report, { columns, isVerbose }: PrintOptions): string => {
  const { findings, looked } = report;
  const parts = [
    ...(isVerbose ? looked.map(lineOf) : []),
    ...(findings.length === 0
      ? []
      : [columns === undefined ? asLines(findings) : asTable(findings, columns)]),
    summaryOf(report),
  ];
  return `${parts.join('\n')}\n`;
};
