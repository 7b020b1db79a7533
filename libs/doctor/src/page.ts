// docs/doctor.md, folded from the checks.

import { ownTroubles } from './diagnosis/diagnose.js';
import type { Check, FindingKind } from './probe/check.js';

const introduction = `<!-- Written by \`npm run gen\` from the checks in libs/doctor and in the services. Change them there. -->

# The doctor

\`npm run doctor\` looks at every engine from where the processes of the platform stand, with their own variables. It names each
fault, its evidence and its remedy. It tells healthy things only with \`--verbose\`.

| place | command |
|---|---|
| the platform that \`npm start\` runs | \`npm run doctor\` |
| a container of docker compose | \`docker compose exec calls-logs /app/deploy/image/entrypoint.sh doctor\` |
| a process that does not start | \`docker compose run --rm calls-logs doctor\`, with the variables of that process |
| a process that runs, over HTTP | \`GET /doctor\` of its ops listener (\`OPS_PORT\`) |

\`--json\` writes the report for programs, \`--only nats,postgres\` makes these checks alone. The exit status is 0 without a
fault, 1 with a fault, and 2 where the doctor could not look. No output holds a secret.

All checks are made side by side, each within a limit of time. A check that does not come to an end is a finding (\`..._SILENT\`), and
so is one that fails by itself (\`..._CHECK_FAILED\`). Checks with the same variables in several processes are made once.

The doctor looks from its own place. It does not see whether the internet reaches this machine. It places a call only where
\`--call\` asks for that, and never for \`GET /doctor\`: providers charge for calls.

A finding is \`broken\` where a part does not work now, and \`soon\` where the part will stop working without a remedy.`;

const linkOf = ({ link }: FindingKind): string => {
  if (link === undefined) return '';
  const name = link.slice(link.lastIndexOf('/') + 1);
  return ` ([${name}](${link.startsWith('docs/') ? link.slice('docs/'.length) : `../${link}`}))`;
};

const rowOf = ([code, kind]: readonly [string, FindingKind]): string =>
  `| \`${code}\` | ${kind.severity} | ${kind.says} | ${kind.advice}${linkOf(kind)} |`;

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

const whereOf = ({ of, needs, onlyWhenAsked }: Check): string => {
  const process = of === undefined ? '' : ` of \`${of}\``;
  if (onlyWhenAsked !== undefined)
    return `It looks with \`--${onlyWhenAsked}\`, where ${names(needs)}${process} is set.`;
  return needs.length === 0
    ? `It looks from every process${process}.`
    : `It looks where ${names(needs)}${process} is set.`;
};

const chapter = (check: Check): string => {
  const { silent } = ownTroubles(check);
  const uses = check.uses?.length ? ` It reads ${names(check.uses)} besides.` : '';
  return [
    `## ${check.name}`,
    '',
    `${check.about} ${whereOf(check)}${uses}`,
    '',
    '| code | severity | fault | remedy |',
    '|---|---|---|---|',
    ...Object.entries(check.findings).map(rowOf),
    rowOf([silent.code, silent]),
  ].join('\n');
};

export const doctorPage = (checks: readonly Check[]): string =>
  `${[introduction, ...checks.map(chapter)].join('\n\n')}\n`;
