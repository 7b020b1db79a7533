// What must be true after the calls; the tour fails when it is not.
import type { Client } from '@parlance/client';
import type { Finished } from './calls.js';

type Dashboard = Awaited<ReturnType<Client['dashboard']['summary']>>['data'];

/** Sentences about what is wrong; empty when everything is as it should be. */
export const outcomeFaults = (finished: readonly Finished[]): string[] =>
  finished.flatMap(({ person, call }) => {
    const { expectedStatus, expectedReason } = person;
    const who = `${person.name} (${person.phoneNumber})`;
    const faults: string[] = [];
    if (expectedStatus && call.status !== expectedStatus)
      faults.push(`${who} ended ${call.status}, not ${expectedStatus}`);
    if (expectedReason && call.endedReason !== expectedReason) {
      faults.push(`${who} ended because of ${call.endedReason}, not ${expectedReason}`);
    }
    return faults;
  });

/** The call log must tell the same story as the dialer. */
export const logFaults = async (client: Client, finished: readonly Finished[]): Promise<string[]> => {
  const faults: string[] = [];
  for (const { person, call } of finished) {
    if (call.callId === null) {
      faults.push(`${person.phoneNumber} has no call in the log`);
      continue;
    }
    const { data: log } = await client.calls.get({ params: { callId: call.callId } });
    if (log.status !== call.status)
      faults.push(`${person.phoneNumber}: log says ${log.status}, dialer ${call.status}`);
  }
  return faults;
};

export const dashboardFaults = (
  before: Dashboard,
  after: Dashboard,
  finished: readonly Finished[],
): string[] => {
  const logged = finished.reduce((sum, { call }) => sum + (call.attempts?.length ?? 1), 0);
  const grown = after.kpis.totalCalls - before.kpis.totalCalls;
  return grown === logged ? [] : [`the dashboard grew by ${grown} calls, the tour made ${logged} attempts`];
};
