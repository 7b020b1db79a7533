// The requirements on docker-compose.yml besides valid syntax: complete, pinned, watched, closed to the network,
// documented.
import { passwordVariableOf, userOfProcess } from '@parlance/messaging';
import { allVariables } from './all-variables.js';
import { type ComposeFile, imageOf, parseCompose, type Service } from './compose-file.js';
import { graceSecondsOf } from './grace.js';
import { natsConfigurationDigest } from './nats-configuration.js';
import { checkNetworks } from './networks.js';
import type { Process } from './processes.js';
import { takenByCompose } from './taken-variables.js';
import { type Variable, variablesOf } from './variables.js';

export interface Subject {
  /** Texts of docker-compose.yml and of the files that are given after it. */
  readonly compose: readonly string[];
  /** Text of .env.example. */
  readonly envExample: string;
  /** Text of docs/configuration.md. */
  readonly configuration: string;
  /** Text of docs/operations.md. */
  readonly operations: string;
  readonly processes: readonly Process[];
}

type Rule = (file: ComposeFile, subject: Subject) => readonly string[];

const problemsOf = (file: ComposeFile, judge: (name: string, service: Service) => readonly string[]) =>
  Object.entries(file.services).flatMap(([name, service]) =>
    judge(name, service).map((problem) => `service ${name} ${problem}`),
  );

/** Runs to its end and is waited for by others, or prepares something for them. */
const isOneShot = (service: Service): boolean => service.restart === 'no';

const isThere: Rule = (file, { processes }) =>
  processes
    .filter(({ name }) => file.services[name] === undefined)
    .map(({ name }) => `service ${name} is missing`);

/** Three numbers or a date; Postgres counts with two. */
const isPinned = (image: string): boolean =>
  image.includes('@sha256:') ||
  /:[^/]*(\d+\.\d+\.\d+|\d{4}-\d{2}-\d{2})[^/]*$/.test(image) ||
  /^postgres:\d+\.\d+(-|$)/.test(image);

const isPinnedEverywhere: Rule = (file) =>
  problemsOf(file, (_, service) => {
    const image = imageOf(service);
    if (image === undefined) return ['has no image'];
    return isPinned(image) ? [] : [`uses ${image}, which names no exact version`];
  });

const isWatched: Rule = (file) =>
  problemsOf(file, (_, service) =>
    isOneShot(service) || service.healthcheck ? [] : ['has no health check'],
  );

const waitsRightly: Rule = (file) =>
  problemsOf(file, (_, service) =>
    Object.entries(service.depends_on).flatMap(([name, { condition }]) => {
      const other = file.services[name];
      if (other === undefined) return [`waits for ${name}, which is not there`];
      const wanted = isOneShot(other) ? 'service_completed_successfully' : 'service_healthy';
      return condition === wanted ? [] : [`waits for ${name} to be ${condition} instead of ${wanted}`];
    }),
  );

/** Media may be let in from outside, by a variable alone. */
const loopback = /^(127\.0\.0\.1|\$\{MEDIA_HOST:-127\.0\.0\.1\}):/;

const isOnLoopback: Rule = (file) =>
  problemsOf(file, (_, { ports }) =>
    ports.filter((port) => !loopback.test(port)).map((port) => `binds ${port} beyond loopback`),
  );

const isConfined: Rule = (file) =>
  problemsOf(file, (_, { user, deploy, stop_grace_period, restart, ...service }) => [
    ...(user === undefined ? ['names no user'] : []),
    ...(user?.startsWith('0') && !isOneShot({ ...service, restart }) ? ['runs as root'] : []),
    ...(deploy === undefined ? ['has no limits of memory and processors'] : []),
    ...(stop_grace_period === undefined && restart !== 'no' ? ['has no stop_grace_period'] : []),
  ]);

const scratch = '/tmp';

/** On a read-only file system a program has a folder for scratch files, and an engine's user a home; Node needs none. */
const hasWritablePlaces: Rule = (file, { processes }) =>
  problemsOf(file, (name, { read_only, tmpfs, environment, command }) => {
    if (read_only !== true || name === 'volumes') return [];
    const isOurs = processes.some((process) => process.name === name) || command?.[0] === 'settings';
    return [
      ...(tmpfs.some((place) => place.startsWith(`${scratch}:`)) ? [] : [`has no ${scratch} to write to`]),
      ...(isOurs || environment.HOME === scratch ? [] : ['has no home to write to']),
    ];
  });

const megabytesOf = (memory: string): number => {
  const [, amount, unit] = /^(\d+)([MG])$/.exec(memory) ?? [];
  return Number(amount) * (unit === 'G' ? 1_024 : 1);
};

/** The sum of the memory limits of the containers that stay, as docs/operations.md states it. */
export const sumOfLimits = (file: ComposeFile): string => {
  const limits = Object.values(file.services)
    .filter((service) => !isOneShot(service))
    .flatMap(({ deploy }) => deploy?.resources.limits ?? []);
  const memory = limits.reduce((sum, limit) => sum + megabytesOf(limit.memory), 0) / 1_024;
  const processors = limits.reduce((sum, limit) => sum + Number(limit.cpus), 0);
  return `${limits.length} containers, limited to ${memory} GB of memory and ${processors} processors together`;
};

const documentsItsLimits: Rule = (file, { compose, operations }) => {
  if (compose.length > 1) return [];
  const sum = sumOfLimits(file);
  return operations.includes(sum) ? [] : [`is not what docs/operations.md says: ${sum}`];
};

const usesDeclaredVolumes: Rule = (file) =>
  problemsOf(file, (_, { volumes }) =>
    volumes
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => !source.startsWith('./') && !(source in file.volumes))
      .map((source) => `mounts ${source}, which is no named volume`),
  );

const seconds = (duration = '0s'): number => Number(/^(\d+)s$/.exec(duration)?.[1] ?? 0);

/** A process reads the root secret from a file, so that it is in the environment of none of them. */
const isGivenAsFile = ({ name }: Variable, process: string): boolean =>
  name === 'ROOT_SECRET' && process !== 'secrets';

const environmentFits: Rule = (file, { processes }) =>
  processes.flatMap(({ name, env, hasOwnImage }) => {
    const service = file.services[name];
    if (service === undefined) return [];
    const known = variablesOf(env);
    const given = service.environment;
    const problems = [
      ...known
        .filter((variable) => variable.testOnly !== true && given[variable.name] === undefined)
        .filter((variable) => !isGivenAsFile(variable, name))
        .map((variable) => `is not given ${variable.name}`),
      ...known
        .filter(
          (variable) =>
            variable.isRequired &&
            variable.isDerived !== true &&
            /^(\$\{[A-Z_]+:?-\})?$/.test(String(given[variable.name])),
        )
        .map((variable) => `may be started with an empty ${variable.name}`),
      ...known
        .filter((variable) => variable.testOnly === true && given[variable.name] !== undefined)
        .map((variable) => `is given ${variable.name}, which is for tests`),
      ...known
        .filter((variable) => isGivenAsFile(variable, name) && given[variable.name] !== undefined)
        .map((variable) => `is given ${variable.name} in its environment`),
      ...Object.keys(given)
        .filter((variable) => !known.some((own) => own.name === variable))
        .map((variable) => `is given ${variable}, which it does not read`),
      ...(hasOwnImage === true || service.command?.[0] === name
        ? []
        : ['runs another process than its name says']),
    ];
    return problems.map((problem) => `service ${name} ${problem}`);
  });

/** A process that leaves is not killed before the longest answer of its rows is out. */
const leavesInTime: Rule = (file, { processes }) =>
  processes
    .filter(({ isOneShot: once }) => once !== true)
    .flatMap((process) => {
      const service = file.services[process.name];
      const given = seconds(service?.stop_grace_period);
      const needed = graceSecondsOf(process);
      // A runtime waits for its conversations, as long as its row says.
      if (service === undefined || needed === 0 || given === needed) return [];
      return [`service ${process.name} is given ${given} s to leave, and needs ${needed} s`];
    });

/** A process signs in to NATS as itself, and has no other's password. */
const signsInAsItself: Rule = (file) =>
  problemsOf(file, (name, { environment: { NATS_URL: url } }) => {
    if (url === undefined) return [];
    const user = userOfProcess(name);
    const wanted = `nats://${user}:\${${passwordVariableOf(user)}:-}@`;
    return String(url).startsWith(wanted) ? [] : [`does not sign in to NATS as ${user}`];
  });

/** Compose starts a container anew when its environment changes, and not when a mounted file does. */
const noticesConfiguration: Rule = (file) =>
  problemsOf(file, (_, { volumes, environment }) => {
    const isNats = volumes.some((volume) => volume.startsWith('./deploy/compose/nats:'));
    if (!isNats || environment.NATS_CONFIGURATION === natsConfigurationDigest) return [];
    return [`has not the digest of nats.conf, NATS_CONFIGURATION: '${natsConfigurationDigest}'`];
  });

/** A secret has no default in the file, so that nothing runs with one that is public. */
const keepsSecretsOut: Rule = (_file, { compose, envExample }) => {
  const taken = takenByCompose(compose.join('\n'));
  return allVariables()
    .filter(({ secret }) => secret === true)
    .flatMap(({ name }) => [
      ...(new RegExp(`^#?${name}=.`, 'm').test(envExample)
        ? [`.env.example has a value for the secret ${name}`]
        : []),
      ...(taken.get(name)?.otherwise ? [`the secret ${name} has a default`] : []),
    ]);
};

/** The volume with the root secret is for the processes of the platform, which derive their credentials from it. */
const keepsRootFromEngines: Rule = (file, { processes }) =>
  problemsOf(file, (name, { volumes }) =>
    volumes.some((volume) => volume.startsWith('secrets:')) && !processes.some((one) => one.name === name)
      ? ['mounts the volume with the root secret']
      : [],
  );

/** Everything starts without a .env: what is not set has a default, or is derived. */
const needsNoSettings: Rule = (_file, { compose }) =>
  [...takenByCompose(compose.join('\n'))]
    .filter(([, { isRequired }]) => isRequired)
    .map(([name]) => `\${${name}} has to be set: give it a default`);

const isDocumented: Rule = (_file, { compose, configuration }) =>
  [...takenByCompose(compose.join('\n')).keys()]
    .filter((name) => !configuration.includes(`| \`${name}\` |`))
    .map((name) => `\${${name}} is not described in docs/configuration.md`);

const rules: readonly Rule[] = [
  isThere,
  isPinnedEverywhere,
  isWatched,
  waitsRightly,
  isOnLoopback,
  isConfined,
  hasWritablePlaces,
  documentsItsLimits,
  usesDeclaredVolumes,
  checkNetworks,
  environmentFits,
  leavesInTime,
  signsInAsItself,
  noticesConfiguration,
  keepsSecretsOut,
  keepsRootFromEngines,
  needsNoSettings,
  isDocumented,
];

/** The faults, one sentence each; empty when all is well. */
export const checkCompose = (subject: Subject): readonly string[] => {
  const { file, problems } = parseCompose(...subject.compose);
  if (file === undefined) return problems;
  return rules.flatMap((rule) => rule(file, subject));
};
