// The values of a call's placeholders: its variables, and `system.*`, which the platform knows.
import { isEmptyValue, type SystemName, type Values } from './placeholders.js';

export interface CallOfValues {
  readonly agentId: string;
  readonly callId: string | null;
  readonly campaignId: string | null;
  readonly direction: string | null;
  readonly callerNumber: string | null;
  readonly calledNumber: string | null;
  readonly startedAt: string | null;
  readonly durationSeconds: number | null;
  /** The variables that came with the call. */
  readonly dynamicVariables: Readonly<Record<string, string>>;
  /** The agent's defaults for variables that did not come with the call. */
  readonly defaults: Readonly<Record<string, string | null>>;
  /** The time zone of the agent, IANA. */
  readonly timezone: string;
}

const inZone = (at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);

const systemValues = (call: CallOfValues, at: Date): Readonly<Record<SystemName, string | null>> => ({
  agentId: call.agentId,
  callId: call.callId,
  campaignId: call.campaignId,
  direction: call.direction,
  callerNumber: call.callerNumber,
  calledNumber: call.calledNumber,
  startedAt: call.startedAt,
  now: at.toISOString(),
  date: new Intl.DateTimeFormat('en-CA', { timeZone: call.timezone }).format(at),
  time: inZone(at, call.timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  weekday: inZone(at, call.timezone, { weekday: 'long' }),
  timezone: call.timezone,
  callDurationSeconds: call.durationSeconds === null ? null : String(call.durationSeconds),
});

/** Undefined for an empty value, so that what comes after it holds. */
const own = (record: Readonly<Record<string, string | null>>, name: string): string | undefined => {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return value == null || isEmptyValue(value) ? undefined : value;
};

const prefix = 'system.';

/** @param at the moment that `system.now` and its parts tell */
export const valuesOfCall = (call: CallOfValues, at: Date): Values => {
  const system = systemValues(call, at);
  return (name) =>
    name.startsWith(prefix)
      ? own(system, name.slice(prefix.length))
      : (own(call.dynamicVariables, name) ?? own(call.defaults, name));
};
