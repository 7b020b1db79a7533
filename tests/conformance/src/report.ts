// The words of a run against real engines: one line for each as it is met, and a table at the end.
import Table from 'cli-table3';
import type { Meeting } from './meet.js';
import type { Verdict } from './outcomes.js';
import type { RealEngine, Server } from './real-engine.js';

const nameOf = ({ name, version }: Server): string =>
  version === 'unknown' ? `${name} (it tells no version)` : [name, version].filter(Boolean).join(' ');
const count = (number: number, of: string): string => `${number} ${of}${number === 1 ? '' : 's'}`;

const testsOf = ({ passed, failed, limits }: Verdict): string =>
  [
    failed.length > 0 ? `${count(failed.length, 'test')} FAILED` : '',
    `${count(passed, 'test')} passed`,
    limits.length > 0 ? count(limits.length, 'known limit') : '',
  ]
    .filter(Boolean)
    .join(', ');

/** The programs to install when a server is too old or absent. */
const advice = ({ programs, oldest }: RealEngine): string =>
  oldest === undefined ? programs : `${programs} (${oldest} or newer)`;

const resultOf = (meeting: Meeting): string => {
  switch (meeting.state) {
    case 'absent':
      return `not there; install ${advice(meeting.engine)}`;
    case 'too old':
      return `too old; install ${advice(meeting.engine)}`;
    case 'did not start':
      return `DID NOT START: ${meeting.reason}`;
    case 'met':
      return testsOf(meeting.verdict);
  }
};

const serverOf = (meeting: Meeting): string => (meeting.state === 'absent' ? '-' : nameOf(meeting.server));
const secondsOf = (meeting: Meeting): string =>
  meeting.state === 'met' ? `${Math.round(meeting.seconds)} s` : '';

/** One line for one engine. */
export const lineOf = (meeting: Meeting): string => {
  const server = meeting.state === 'absent' ? '' : ` ${serverOf(meeting)}:`;
  const time = secondsOf(meeting);
  return `${meeting.engine.title}:${server} ${resultOf(meeting)}${time === '' ? '' : ` (${time})`}`;
};

const firstLines = (reason: string): string => reason.split('\n').slice(0, 12).join('\n    ');

/** The failed tests with their reasons, the known limits with theirs, and the limits of tests that passed. */
export const detailsOf = (meeting: Meeting): readonly string[] => {
  if (meeting.state !== 'met') return [];
  const { failed, limits, outgrown, conforms } = meeting.verdict;
  return [
    // Without a failed test jest itself failed, and only its output tells why.
    ...(conforms || failed.length > 0 ? [] : [meeting.output]),
    ...failed.map(({ name, reason }) => `  FAILED ${name}\n    ${firstLines(reason)}`),
    ...limits.map(({ test, why }) => `  limit  ${test}: ${why}`),
    ...outgrown.map(({ test }) => `  passed ${test}: a limit that was not met this time`),
  ];
};

/** Every engine with the server that was met. */
export const tableOf = (meetings: readonly Meeting[]): string => {
  const table = new Table({
    head: ['engine', 'server', 'result', 'time'],
    style: { head: [], border: [] },
    colWidths: [24, 36, 44, 8],
    wordWrap: true,
  });
  for (const meeting of meetings)
    table.push([meeting.engine.title, serverOf(meeting), resultOf(meeting), secondsOf(meeting)]);
  return table.toString();
};
