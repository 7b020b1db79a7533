// The doctor as a script sees it: the output on each stream, and the exit status.
import { describe, expect, it } from '@jest/globals';
import { CannotLook, runDoctor } from './command.js';
import { defineCheck } from './probe/check.js';

const secret = 'a-password-that-nobody-may-see';

/** A check that reports a finding where FAULTS contains its name. */
const check = (name: string) =>
  defineCheck({
    name,
    about: 'Looks at a variable.',
    needs: ['FAULTS'],
    uses: ['POSTGRES_URL'],
    findings: {
      EXAMPLE_BROKEN: { severity: 'broken', says: 'Something is broken.', advice: 'Mend it.' },
    },
    look: async ({ variables, found, note }) => {
      note(`${name} looked`);
      if (variables.FAULTS?.split(',').includes(name))
        found('EXAMPLE_BROKEN', { subject: name, seen: `It was seen with ${secret}.` });
    },
  });

const run = async (args: readonly string[], faults = 'none') => {
  const written = { output: '', errors: '' };
  const into = (stream: keyof typeof written) => ({
    write: (text: string) => {
      written[stream] += text;
    },
  });
  const asked: (string | undefined)[] = [];
  const status = await runDoctor({
    args,
    checks: [check('engine-one'), check('engine-two')],
    places: (dataDir) => {
      asked.push(dataDir);
      if (faults === '') throw new CannotLook('No platform runs here.');
      return [
        {
          process: 'calls-logs',
          variables: { FAULTS: faults, POSTGRES_URL: `postgres://role:${secret}@127.0.0.1/db` },
        },
      ];
    },
    output: into('output'),
    errors: into('errors'),
  });
  return { status, asked, ...written };
};

describe('the doctor ends with', () => {
  it('0 where nothing is wrong', async () => {
    expect(await run([])).toMatchObject({ status: 0, errors: '' });
  });

  it('1 where something is wrong, and says what to do without a secret', async () => {
    const { status, output, errors } = await run([], 'engine-one');
    expect(status).toBe(1);
    for (const text of ['EXAMPLE_BROKEN', 'Something is broken.', 'Mend it.', 'engine-one'])
      expect(output).toContain(text);
    expect(output + errors).not.toContain(secret);
  });

  it('2 where there is nothing to look at', async () => {
    expect(await run([], '')).toMatchObject({ status: 2, output: '', errors: 'No platform runs here.\n' });
  });

  it.each([
    [['--only', 'engine-three'], /no check "engine-three".*engine-one, engine-two/],
    [['--only', 'engine-one,nothing,none'], /no check "nothing", "none"/],
    [['--oops'], /'--oops'.*--help tells more/s],
    [['engine-one'], /engine-one.*--help tells more/s],
    [['--only'], /--help tells more/],
  ])('2 where it was called wrongly: %j', async (args, message) => {
    const { status, output, errors, asked } = await run(args);
    expect(status).toBe(2);
    expect(errors).toMatch(message);
    expect(output).toBe('');
    expect(asked).toEqual([]);
  });
});

it('--help tells every option and every status, and looks at nothing', async () => {
  const { status, output, asked } = await run(['--help'], '');
  expect(status).toBe(0);
  for (const text of [
    '--only',
    '--json',
    '--verbose',
    '--data-dir',
    '--help',
    'Exit status: 0',
    '1 at least one fault',
    '2 the checks could not run',
  ])
    expect(output).toContain(text);
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  expect(asked).toEqual([]);
});

it('--only makes the checks that it names, and no other', async () => {
  expect(await run(['--only', 'engine-two'], 'engine-one')).toMatchObject({ status: 0 });
  expect(await run(['--only', 'engine-two , engine-one'], 'engine-one')).toMatchObject({ status: 1 });
  const { output } = await run(['--only', 'engine-two', '--json']);
  expect(JSON.parse(output)).toMatchObject({ healthy: true, looked: [{ check: 'engine-two' }] });
});

it('--data-dir is where it looks, and --verbose says what is well', async () => {
  const { asked, output } = await run(['--data-dir', 'elsewhere', '--verbose']);
  expect(asked).toEqual(['elsewhere']);
  expect(output).toContain('engine-one looked');
  expect((await run([])).output).not.toContain('engine-one looked');
});
