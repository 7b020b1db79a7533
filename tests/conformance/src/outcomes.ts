// The results of a run of jest, test by test, and the verdict on an engine with its known limits.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface TestOutcome {
  /** Names of its groups and its own, with spaces between. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  readonly reason: string;
}

interface Assertion {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** As jest writes it with --json. */
interface JestResult {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly Assertion[];
  }[];
}

const outcomeOf = (status: string): TestOutcome['outcome'] =>
  status === 'passed' || status === 'failed' ? status : 'skipped';

const outcomesIn = ({ testResults }: JestResult): readonly TestOutcome[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const outcomes = assertionResults.map((assertion) => ({
      name: assertion.fullName,
      outcome: outcomeOf(assertion.status),
      reason: assertion.failureMessages.join('\n'),
    }));
    // A file can fail outside of its tests, such as in beforeAll when the server is away; then no test has failed.
    const toldByATest = status !== 'failed' || outcomes.some(({ outcome }) => outcome === 'failed');
    return toldByATest ? outcomes : [...outcomes, { name, outcome: 'failed' as const, reason: message }];
  });

/** The outcomes in a file that jest wrote; none where it ended before it wrote one. */
export const readOutcomes = async (file: string): Promise<readonly TestOutcome[]> =>
  existsSync(file) ? outcomesIn(JSON.parse(await readFile(file, 'utf8')) as JestResult) : []; // jest wrote it

/** A test that an engine is known to fail, by the engine's own fault. */
export interface Limit {
  /** Full name of the test. */
  readonly test: string;
  /** The difference of the engine, in one sentence. */
  readonly why: string;
}

export interface Verdict {
  readonly conforms: boolean;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly TestOutcome[];
  /** Limits that were met as expected. */
  readonly limits: readonly Limit[];
  /** Limits of tests that passed: the engine has lost the fault, or the fault does not show in every run. */
  readonly outgrown: readonly Limit[];
}

/** An engine conforms when a test passed, and when every test that failed is one of its known limits. */
export const judge = (outcomes: readonly TestOutcome[], known: readonly Limit[] = []): Verdict => {
  const of = (wanted: TestOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted);
  const isIn = (tests: readonly TestOutcome[]) => (limit: Limit) =>
    tests.some(({ name }) => name === limit.test);
  const failed = of('failed').filter(({ name }) => !known.some(({ test }) => test === name));
  const passed = of('passed');
  return {
    conforms: failed.length === 0 && passed.length > 0,
    passed: passed.length,
    skipped: of('skipped').length,
    failed,
    limits: known.filter(isIn(of('failed'))),
    outgrown: known.filter(isIn(passed)),
  };
};
