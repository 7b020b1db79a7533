// npm run check: does every variable come from a schema? A read of `process.env` somewhere else has its reason here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/prepare.mjs';
import { allVariableNames } from '../compose/dist/index.js';
import { environmentReadsIn, judgeReads } from './environment-reads.mjs';

const any = /^/;
const wholeAlone = /^\*$/;

const allowed = [
  {
    files: /^libs\/config\/src\/env\.ts$/,
    name: wholeAlone,
    why: 'it reads the environment against schemas',
  },
  {
    files: /^(gateway|libs\/ops)\/src\/main\.ts$/,
    name: wholeAlone,
    why: 'commands of operators read it against schemas',
  },
  {
    files: /^libs\/doctor\/src\/main\.ts$/,
    name: wholeAlone,
    why: 'each check declares the variables that it reads',
  },
  {
    files: /^tools\/provision\/src\/main\.ts$/,
    name: wholeAlone,
    why: 'secrets and credentials read it against the schema of every credential',
  },
  {
    files: /^packages\/mcp\/src\/(bridge|terminal)\/main\.ts$/,
    name: wholeAlone,
    why: 'settings.ts of the program reads it',
  },
  { files: /\.(int|e2e)\.spec\.ts$/, name: any, why: 'tests name programs and engines of the machine' },
  {
    files: /\/src\/(testing|conformance)\//,
    name: any,
    why: 'tests start programs, and name engines of the machine',
  },
  { files: /^tests\/fixtures\//, name: any, why: 'tests are told where the engines of their run are' },
  {
    files: /^(sandbox|tests|scripts|examples)\//,
    name: wholeAlone,
    why: 'programs are started with the environment of the one that starts them',
  },
  {
    files: /^tools\/kubernetes\/src\//,
    name: any,
    why: 'a row of its table is called `process`, and has an `env`',
  },
  {
    files: /^scripts\/(start|dev|lib\/node)\.mjs$/,
    name: /^npm_(lifecycle_event|config_user_agent)$/,
    why: 'npm tells how the program was started',
  },
  {
    files: /^(scripts\/lib\/node\.mjs|tests\/fixtures\/src\/programs\.ts)$/,
    name: /^NODE_COMPILE_CACHE$/,
    why: 'Node reads it, in every process that a script or a test starts',
  },
  {
    files: /^tests\/bench\/src\/harness\/request-counts\.ts$/,
    name: /^NODE_OPTIONS$/,
    why: 'Node reads it, in every process of the platform that is measured',
  },
  { files: any, name: /^PATH$/, why: 'programs of the machine are found by it' },
  {
    files: /^(sandbox|tests)\//,
    name: /^(PARLANCE|CONFORMANCE|SANDBOX)_[A-Z_]+$/,
    why: 'programs of the sandbox tell each other',
  },
  {
    files: /^(tests\/chaos|sandbox\/fakes)\//,
    name: /^(CLOCK_OFFSET_MS|EVENTSTORE_(USERNAME|PASSWORD)|LIVEKIT_KEYS|S3_(ACCESS_KEY_ID|SECRET_ACCESS_KEY))$/,
    why: 'a stand-in that is started by hand',
  },
  {
    files: /^(tests|scripts|tools)\//,
    name: /^(BENCH|PARLANCE)_[A-Z_]+$/,
    why: 'programs of the project tell each other',
  },
  {
    files: /^runtime\/voice\/src\/(settings|livekit\/main)\.ts$/,
    name: /^(\*|SPEECH_CACHE_DIR|JOURNAL_FOLDER|JOURNAL_KEY)$/,
    why: 'the voice runtime has an installation and settings of its own (runtime/voice/README.md)',
  },
  {
    files: /^tests\/voice\//,
    name: /^SPEECH_(URL|KEY)$/,
    why: 'it measures with the speech server that its caller names',
  },
];

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs', '*.js'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) =>
      file !== '' &&
      !file.startsWith('deploy/compose/mongodb/') &&
      !file.startsWith('deploy/helm/parlance/files/'),
  );
const reads = Object.fromEntries(
  files
    .map((file) => [file, readFileSync(join(root, file), 'utf8')])
    .filter(([, text]) => /\bprocess\b/.test(text) && /\benv\b/.test(text))
    .map(([file, text]) => [file, environmentReadsIn(text)]),
);
const problems = judgeReads(reads, new Set(allVariableNames()), allowed);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
