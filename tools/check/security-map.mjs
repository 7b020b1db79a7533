// docs/security-map.md, from security-map.txt. A row names the test that holds it, and the test has to exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const labels = { test: 'test', kept: 'built in', part: 'falls short', none: 'does not apply' };
const places = new Set(['test', 'kept']);
const isTest = (path) => /\.spec\.tsx?$/.test(path);

/** @returns chapters in order, each with its rows */
export const parseMap = (text) => {
  const chapters = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) chapters.push({ title: line.slice(3), rows: [] });
    else if (line !== '' && !line.startsWith('# ')) {
      const [id, words, kind, place, more] = line.split(' | ');
      chapters.at(-1)?.rows.push({ id, words, kind, place, more });
    }
  }
  return chapters;
};

/**
 * @param exists whether the repository has this file
 * @returns one sentence for each row that cannot be believed
 */
export const mapProblems = (chapters, exists) => {
  const rows = chapters.flatMap((chapter) => chapter.rows);
  const seen = new Set();
  return rows.flatMap(({ id, kind, place }) => {
    if (seen.has(id)) return [`${id} has two rows`];
    seen.add(id);
    if (!Object.hasOwn(labels, kind)) return [`${id} has the unknown kind "${kind}"`];
    if (place === undefined || place === '') return [`${id} names neither a place nor a reason`];
    if (kind === 'test' && !isTest(place)) return [`${id} names ${place}, which is no test`];
    return places.has(kind) && !exists(place) ? [`${id} names ${place}, which does not exist`] : [];
  });
};

const intro = `# Security map

How Parlance stands to [OWASP ASVS 5.0](https://owasp.org/www-project-application-security-verification-standard/), levels 1 and 2, and to the
[OWASP API Security Top 10 of 2023](https://owasp.org/API-Security/editions/2023/en/0x11-t10/). The numbers are those of the standard, the words are ours. *Test* names a test
that fails when the platform no longer does it, *built in* the file that does it. *Falls short* says what is missing. It is a map by the project
itself and no certificate; [threat-model.md](threat-model.md) has the threats that it starts from.

\`npm run gen\` writes this page from \`tools/check/security-map.txt\`. It fails when a named file does not exist.
`;

const link = (path) => `[${path}](../${path})`;

const rowOf = ({ id, words, kind, place, more }) => {
  const where = places.has(kind) ? [link(place), more] : [place, more];
  return `| ${id} | ${words} | ${labels[kind]} | ${where.filter(Boolean).join('; ')} |`;
};

const countsOf = (chapters) => {
  const rows = chapters.flatMap((chapter) => chapter.rows);
  return Object.entries(labels)
    .map(([kind, label]) => `${rows.filter((row) => row.kind === kind).length} ${label}`)
    .join(', ');
};

const pageOf = (chapters) =>
  [
    `${intro}\nOf ${chapters.flatMap(({ rows }) => rows).length} rows: ${countsOf(chapters)}.`,
    ...chapters.map(
      ({ title, rows }) =>
        `## ${title}\n\n| | requirement | how | where or why |\n|---|---|---|---|\n${rows.map(rowOf).join('\n')}`,
    ),
  ].join('\n\n');

/** @throws Error for a row that names a file which does not exist */
export const securityMapPage = (root) => {
  const chapters = parseMap(readFileSync(join(root, 'tools/check/security-map.txt'), 'utf8'));
  const problems = mapProblems(chapters, (path) => existsSync(join(root, path)));
  if (problems.length > 0) throw new Error(`tools/check/security-map.txt: ${problems.join('; ')}`);
  return { path: 'docs/security-map.md', content: `${pageOf(chapters)}\n` };
};
