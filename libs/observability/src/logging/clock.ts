// Time and ids come from outside, so that tests can hold them still.
import { v7 } from 'uuid';

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface Ids {
  /** A new uuid that sorts by time (version 7). */
  next(): string;
}

export const systemIds: Ids = { next: () => v7() };
