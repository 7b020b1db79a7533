// npm run check: does every decision in docs/adr follow the template and stand in the index, and does every reference to a
// decision lead to one? Run directly, it prints what does not.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';

const folder = join(root, 'docs', 'adr');
const read = (file) => readFileSync(join(folder, file), 'utf8');
const problems = [];

const template =
  /^# (?<number>\d+)\. (?<title>.+)\n\n- Status: (?<status>accepted|proposed|superseded by ADR \d+)\n- Date: (?<date>\d{4}-\d\d-\d\d)\n\n## Context\n\n[\s\S]+\n\n## Decision\n\n[\s\S]+\n\n## Consequences\n\n[\s\S]+\n$/;
const headings = 3;
const longest = 60;

const decisions = new Map();
for (const file of readdirSync(folder).filter((name) => name !== 'README.md')) {
  const text = read(file);
  const match = template.exec(text);
  if (match === null || text.match(/^## /gm).length !== headings) {
    problems.push(`docs/adr/${file} does not follow the template in docs/adr/README.md`);
    continue;
  }
  const decision = match.groups;
  if (!new RegExp(`^${decision.number.padStart(4, '0')}-[a-z0-9-]+\\.md$`).test(file))
    problems.push(`docs/adr/${file} does not begin with its number ${decision.number}`);
  if (decisions.has(decision.number))
    problems.push(`docs/adr/${file} has the number of docs/adr/${decisions.get(decision.number).file}`);
  if (text.split('\n').length > longest)
    problems.push(`docs/adr/${file} is longer than a page of ${longest} lines`);
  decisions.set(decision.number, { ...decision, file });
}

const row = ({ number, title, file, status, date }) =>
  `| ${number} | [${title}](${file}) | ${status} | ${date} | `;
const rows = read('README.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line));
const expected = [...decisions.values()].sort((a, b) => a.number - b.number).map(row);
for (const start of expected)
  if (!rows.some((line) => line.startsWith(start)))
    problems.push(`docs/adr/README.md has no row that begins with "${start}"`);
for (const line of rows)
  if (!expected.some((start) => line.startsWith(start)))
    problems.push(`docs/adr/README.md has a row without a decision: ${line}`);

// An applied migration never changes, so its comments keep the numbers of their time; docs/adr/README.md translates them.
const isSource = /\.(md|[cm]?[jt]sx?|ya?ml|sh|py|css)$|\/Dockerfile$/;
const isSkipped = (name) =>
  name === 'node_modules' || name === 'dist' || (name.startsWith('.') && name !== '.github');
const sourcesIn = (path) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return isSkipped(entry.name) ? [] : sourcesIn(inner);
    return entry.isFile() && isSource.test(inner) ? [inner] : [];
  });
// A reference may be broken over two lines, also of a comment.
const mention = /\bADRs?[\s/*#]+(\d+)(?:\]\(([^)\s]+)\))?|\badr\/(\d{4})\b/g;
for (const path of sourcesIn(root)) {
  const text = readFileSync(path, 'utf8');
  for (const match of text.matchAll(mention)) {
    const number = String(Number(match[1] ?? match[3]));
    const line = text.slice(0, match.index).split('\n').length;
    const place = `${relative(root, path)}:${line}`;
    const decision = decisions.get(number);
    if (decision === undefined) problems.push(`${place} refers to ADR ${number}, which does not exist`);
    else if (match[2] !== undefined && !match[2].endsWith(decision.file))
      problems.push(`${place} links ADR ${number} to ${match[2]} instead of ${decision.file}`);
  }
}

for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
