// Finds variables that were meant for the platform and that no process reads. A misspelt limit would otherwise be no limit.
import type { ConfigProblem, EnvSource } from './config-problem.js';

/** Names below this length are near too many names of other programs. */
const shortestJudged = 8;
const longName = 12;
/** A name that needs more corrections is no slip of another one. */
const mostSlips = 2;

/** Kubernetes and Docker name a service's address so; the operator of the cluster chose the name of the service. */
const isServiceLink = (name: string, value: string | undefined): boolean =>
  /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/.test(name) ||
  /^(tcp|udp|sctp):\/\//.test(value ?? '');

/** Read by the runner of tests alone, in whose environment processes of the platform are started. */
const isForTests = (name: string): boolean => name.startsWith('PARLANCE_TEST_');

/** OpenTelemetry's SDK reads many more than are described, so only a near name of a described one is a mistake. */
const isOpenFamily = (family: string): boolean => family.startsWith('OTEL_');

/** The first two words of a name with three or more: RATE_LIMIT_ of RATE_LIMIT_READ_PER_MINUTE. */
const familyOf = (name: string): string | undefined => /^[A-Z0-9]+_[A-Z0-9]+_(?=.)/.exec(name)?.[0];

/** Beginnings that two known variables share. */
const familiesOf = (known: readonly string[]): ReadonlySet<string> => {
  const seen = new Set<string>();
  const families = new Set<string>();
  for (const name of known) {
    const family = familyOf(name);
    if (family === undefined || isOpenFamily(family)) continue;
    if (seen.has(family)) families.add(family);
    seen.add(family);
  }
  return families;
};

/** The number of letters to add, leave out, change or swap with a neighbour that make one name the other. */
const distance = (left: string, right: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[right.length] ?? 0;
};

interface Near {
  readonly name: string;
  readonly distance: number;
}

const nearestOf = (name: string, known: readonly string[]): Near | undefined =>
  known
    .map((candidate) => ({ name: candidate, distance: distance(name, candidate) }))
    .sort((left, right) => left.distance - right.distance)[0];

const isMisspelling = (near: Near): boolean => {
  if (near.distance === 0) return true;
  if (near.name.length < shortestJudged) return false;
  return near.distance <= (near.name.length < longName ? 1 : mostSlips);
};

/** Each letter more or less is a slip. So only names of about the same length are compared: every start pays for it. */
const misspelt = (name: string, known: readonly string[]): Near | undefined => {
  const near = nearestOf(
    name,
    known.filter((candidate) => Math.abs(candidate.length - name.length) <= mostSlips),
  );
  return near !== undefined && isMisspelling(near) ? near : undefined;
};

/** The name in the spelling of this platform: `rate-limit-x` is taken for RATE_LIMIT_X. */
const written = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/**
 * Variables that are set, look like the platform's and are unknown to it. Such a name is a slip of a known name, or a new
 * name in a family of known names. A variable of another program is neither, and is left alone.
 * @param known every variable that some process of the platform reads
 */
export const unreadVariables = (given: EnvSource, known: readonly string[]): readonly ConfigProblem[] => {
  const names = new Set(known);
  const families = familiesOf(known);
  return Object.keys(given)
    .filter((name) => !names.has(name) && given[name] !== '' && given[name] !== undefined)
    .filter((name) => !isForTests(name) && !isServiceLink(name, given[name]))
    .flatMap((name) => {
      const spelling = written(name);
      const isOurs = families.has(familyOf(spelling) ?? '');
      const near = misspelt(spelling, known) ?? (isOurs ? nearestOf(spelling, known) : undefined);
      if (near === undefined) return [];
      return [
        {
          variable: name,
          problem: `is read by no process, and ${near.name} is the nearest name: correct or remove it`,
        },
      ];
    });
};
