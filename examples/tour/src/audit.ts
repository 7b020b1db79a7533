// The checks after the campaign; the tour fails when one of them does. Every place that tells of a call is held against
// the others. All of them are held against the ledger, in which the simulated phones record their real rings.
import type { Campaign } from './campaign.js';
import type { Ring } from './ledger.js';
import type { CallLog, Dashboard, OutboundCall, Results } from './results.js';
import { endingOf, type Phones } from './simulated-phones.js';
import type { Talk } from './talks.js';

/** The ends of these phones are known beforehand. */
export const endingFaults = (outbound: readonly OutboundCall[], phones: Phones): string[] =>
  outbound.flatMap(({ phoneNumber, status, endedReason }) => {
    const expected = endingOf(phoneNumber, phones);
    const isRight =
      status === expected.status && (expected.endedReason === null || endedReason === expected.endedReason);
    return isRight ? [] : [`${phoneNumber} (${expected.name}) ended ${status}, ${endedReason}`];
  });

/** The call log must tell the same story as the dialer, and the dialer the same as the campaign. */
export const logFaults = ({ outbound, log }: Results, { progress }: Campaign): string[] => {
  const faults: string[] = [];
  if (outbound.length !== progress.total)
    faults.push(`${progress.total} recipients, but ${outbound.length} outbound calls`);
  if (log.length !== progress.attempts)
    faults.push(`${progress.attempts} attempts, but ${log.length} calls in the log`);
  const logged = new Map(log.map((call) => [call.id, call]));
  for (const { callId, phoneNumber, status } of outbound) {
    const call = callId === null ? undefined : logged.get(callId);
    if (call === undefined) faults.push(`${phoneNumber} has no call in the log`);
    else if (call.status !== status)
      faults.push(`${phoneNumber}: the log says ${call.status}, the dialer ${status}`);
  }
  return faults;
};

export const transcriptFaults = (log: readonly CallLog[]): string[] =>
  log
    .filter(({ outcome, endedReason }) => outcome === 'answered' && endedReason === 'agent_hangup')
    .filter(({ messageCount }) => messageCount < 2)
    .map(({ toNumber }) => `${toNumber} talked, but nothing is written down`);

/** The calls that were talked to the end, if everything is as it should be. */
export const talksExpected = (log: readonly CallLog[], phones: Phones): CallLog[] =>
  log.filter(
    ({ toNumber, status }) =>
      status === 'completed' && toNumber !== null && endingOf(toNumber, phones).talks === true,
  );

/** A telephone on the wire presses its last four digits over and over. An agent that listened to the end has heard them. */
export const hearingFaults = (talks: readonly Talk[]): string[] =>
  talks.flatMap(({ call: { toNumber }, turns }) => {
    const digits = [...(toNumber ?? '').slice(-4)].join(' ');
    const isHeard = turns.some(({ role, text }) => role === 'user' && text.includes(digits));
    return isHeard ? [] : [`${toNumber} pressed ${digits}, and the transcript does not have it`];
  });

/** No phone rings twice for one attempt, and none that rang is said to have been left alone. */
export const ringFaults = (rings: readonly Ring[], log: readonly CallLog[]): string[] => {
  const faults: string[] = [];
  const count = new Map<string, number>();
  for (const { room } of rings) count.set(room, (count.get(room) ?? 0) + 1);
  for (const { roomName, toNumber, answeredAt, status } of log) {
    const rang = count.get(roomName) ?? 0;
    if (rang > 1) faults.push(`${toNumber} rang ${rang} times for one attempt`);
    if (rang === 0 && answeredAt !== null) faults.push(`${toNumber} was answered, but never rang`);
    if (rang > 0 && status === 'cancelled') faults.push(`${toNumber} rang, but is said to be cancelled`);
  }
  return faults;
};

export const dashboardFaults = (before: Dashboard, after: Dashboard, log: readonly CallLog[]): string[] => {
  const faults: string[] = [];
  const calls = after.kpis.totalCalls - before.kpis.totalCalls;
  if (calls !== log.length) faults.push(`the dashboard grew by ${calls} calls, the log by ${log.length}`);
  const seconds = log.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
  const minutes = after.kpis.totalMinutes - before.kpis.totalMinutes;
  // Both totals are told with two decimals.
  if (Math.abs(minutes - seconds / 60) > 0.011)
    faults.push(
      `the dashboard grew by ${minutes.toFixed(2)} minutes, the calls took ${(seconds / 60).toFixed(2)}`,
    );
  return faults;
};
