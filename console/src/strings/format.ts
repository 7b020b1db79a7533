// Values as text. Everything here is pure; components show the results.

const thousand = 1_000;
const minuteMs = 60 * thousand;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const language = 'en';

/** Milliseconds as `1 h 05 min`, `2 min 03 s` or `12 s`. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / thousand));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = seconds % 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  if (hours > 0) return `${hours} h ${two(minutes)} min`;
  return minutes > 0 ? `${minutes} min ${two(rest)} s` : `${rest} s`;
};

const steps = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** `3 hours ago`, `in 2 days`; undefined within a minute of now. */
export const relativeText = (at: number, now: number): string | undefined => {
  const distance = at - now;
  const step = steps.find(([, size]) => Math.abs(distance) >= size);
  if (step === undefined) return undefined;
  const [unit, size] = step;
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(distance / size), unit);
};

/** A moment in a time zone, with the zone's short name. @param at ISO 8601 or epoch milliseconds */
export const momentText = (at: string | number, timeZone: string): string =>
  new Intl.DateTimeFormat(language, {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZoneName: 'short', timeZone },
  }).format(new Date(at));

const microsOfUnit = 1_000_000;

/** Millionths of a unit of currency as `US$12.34`; small amounts keep up to four digits. */
export const moneyText = (micros: number, currency: string): string => {
  const amount = micros / microsOfUnit;
  const isSmall = amount !== 0 && Math.abs(amount) < 1;
  return new Intl.NumberFormat(language, {
    ...{ style: 'currency', currency },
    ...(isSmall ? { maximumFractionDigits: 4 } : {}),
  }).format(amount);
};

/** To the millionth, for amounts that a reader may add up. */
export const exactMoneyText = (micros: number, currency: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 6 }).format(
    micros / microsOfUnit,
  );

export const numberText = (value: number): string => new Intl.NumberFormat(language).format(value);

/** A part of one as `12.5 %`. */
export const shareText = (share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);

const sizes = [
  ['GB', 1_000_000_000],
  ['MB', 1_000_000],
] as const;

/** Bytes as `12 KB`, `3.4 MB` or `5 GB`. */
export const bytesText = (bytes: number): string => {
  const [unit, size] = sizes.find(([, least]) => bytes >= least) ?? ['KB', 1_000];
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / size)} ${unit}`;
};
