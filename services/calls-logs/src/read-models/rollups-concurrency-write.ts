// Keeps the stored courses of concurrency: the hours of the days that a batch touches are read, changed and written back.
import type { Tx } from '@parlance/postgres';
import type { ConcurrencyChange } from './rollups-changes.js';
import { courseOfHours, courseOfMinutes, minutesPerHour } from './rollups-concurrency.js';

interface HourRow {
  readonly organization_id: string;
  readonly at: Date;
  readonly minutes: number[];
}

interface Hour {
  readonly at: number;
  readonly minutes: number[];
}

const minuteMs = 60_000;
const hourMs = minutesPerHour * minuteMs;
const dayMs = 24 * hourMs;

const daysIn = (changes: readonly ConcurrencyChange[]) =>
  changes.flatMap(({ organizationId, minutes }) =>
    [...new Set([...minutes.keys()].map((minute) => Math.floor((minute * minuteMs) / dayMs) * dayMs))].map(
      (day) => ({ organizationId, day }),
    ),
  );

/** The hours of those days that the changes touch, after them. */
const hoursAfter = (known: readonly Hour[], minutes: ReadonlyMap<number, number>, day: number): Hour[] => {
  const hours = new Map(known.map((hour) => [hour.at, hour]));
  for (const [minute, change] of minutes) {
    const ms = minute * minuteMs;
    if (ms < day || ms >= day + dayMs) continue;
    const at = Math.floor(ms / hourMs) * hourMs;
    const hour = hours.get(at) ?? { at, minutes: new Array<number>(minutesPerHour).fill(0) };
    hours.set(at, hour);
    const index = minute - at / minuteMs;
    hour.minutes[index] = (hour.minutes[index] ?? 0) + change;
  }
  return [...hours.values()].sort((a, b) => a.at - b.at);
};

const rowsOfDay = (organization_id: string, day: number, hours: readonly Hour[]) => {
  const courses = hours.map(({ at, minutes }) => ({ at, minutes, ...courseOfMinutes(minutes) }));
  const used = courses.filter(({ minutes }) => minutes.some((change) => change !== 0));
  const row = (grain: number, at: number, course: object) => ({
    ...{ organization_id, grain, at: new Date(at).toISOString(), minutes: null },
    ...course,
  });
  return {
    kept: [
      ...used.map(({ at, net, peak, minutes }) => row(60, at, { net, peak, minutes })),
      ...(used.length === 0 ? [] : [row(1_440, day, courseOfHours(day, used))]),
    ],
    emptied: [
      ...courses.filter((course) => !used.includes(course)).map(({ at }) => row(60, at, {})),
      ...(used.length === 0 ? [row(1_440, day, {})] : []),
    ],
  };
};

const readHours = `
  select c.organization_id, c.at, c.minutes
  from jsonb_to_recordset($1) as d(organization_id text, at timestamptz)
  join concurrency_rollups c on c.organization_id = d.organization_id and c.grain = 60
    and c.at >= d.at and c.at < d.at + interval '1 day'`;

const writeCourses = `
  with emptied as (
    delete from concurrency_rollups t using jsonb_populate_recordset(null::concurrency_rollups, $2) e
    where t.organization_id = e.organization_id and t.grain = e.grain and t.at = e.at)
  insert into concurrency_rollups (organization_id, grain, at, net, peak, minutes)
  select organization_id, grain, at, net, peak, minutes from jsonb_populate_recordset(null::concurrency_rollups, $1)
  on conflict (organization_id, grain, at) do update set net = excluded.net, peak = excluded.peak, minutes = excluded.minutes`;

/** Read, changed and written back: the projection's checkpoint keeps a second writer from being committed. */
export const writeConcurrency = async (tx: Tx, changes: readonly ConcurrencyChange[]): Promise<void> => {
  const days = daysIn(changes);
  if (days.length === 0) return;
  const wanted = days.map(({ organizationId, day }) => ({
    organization_id: organizationId,
    at: new Date(day).toISOString(),
  }));
  const { rows } = await tx.query<HourRow>({
    name: 'concurrency-read',
    text: readHours,
    values: [JSON.stringify(wanted)],
  });
  const minutesOf = new Map(changes.map(({ organizationId, minutes }) => [organizationId, minutes]));
  const written = days.map(({ organizationId, day }) => {
    const known = rows
      .filter((row) => row.organization_id === organizationId)
      .map(({ at, minutes }) => ({ at: at.getTime(), minutes }))
      .filter(({ at }) => at >= day && at < day + dayMs);
    const hours = hoursAfter(known, minutesOf.get(organizationId) ?? new Map(), day);
    return rowsOfDay(organizationId, day, hours);
  });
  await tx.query({
    name: 'concurrency-write',
    text: writeCourses,
    values: [
      JSON.stringify(written.flatMap(({ kept }) => kept)),
      JSON.stringify(written.flatMap(({ emptied }) => emptied)),
    ],
  });
};
