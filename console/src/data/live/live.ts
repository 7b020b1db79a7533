// Live events of the organization: they make answers stale, which the page asks again, and screens may follow single events.
import type { LiveEvent } from '@parlance/client';
import { useEffect, useRef } from 'react';
import { invalidate } from '../queries.js';
import { Gathered } from './gathered.js';
import { follow } from './leader.js';
import { hearsEvents } from './pace.js';
import { everything, touchedOf } from './touched.js';

const gatherMs = 400;
/** Lists follow events within a second; a second look finds a change that the first one came too early for. */
const againMs = 2_000;

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** A tab that nobody sees asks nothing; it asks once when it is seen again. */
const whenSeen = (act: () => void): (() => void) => {
  if (!document.hidden) {
    act();
    return () => undefined;
  }
  const look = (): void => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', look);
    act();
  };
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
};

/** Once in the page, around every screen. @param organizationId of the session; undefined: nothing is followed */
export const useLive = (organizationId: string | undefined): void => {
  useEffect(() => {
    if (organizationId === undefined) return;
    let forget: () => void = () => undefined;
    const stale = new Set<string>();
    const look = (names: readonly string[]): void => {
      for (const name of names) stale.add(name);
      forget();
      forget = whenSeen(() => {
        const all = [...stale];
        stale.clear();
        void invalidate(...all);
      });
    };
    const gathered = new Gathered(gatherMs, look);
    const late = new Gathered(againMs, look);
    const touch = (names: readonly string[]): void => {
      gathered.note(names);
      late.note(names);
    };
    const end = follow(organizationId, (told) => {
      if (told.kind === 'stream') hearsEvents.set(told.isOpen);
      else if (told.kind === 'reload') touch(everything);
      else if (told.kind === 'event') {
        touch(touchedOf(told.event));
        for (const listener of listeners) listener(told.event);
      }
    });
    return () => {
      end();
      hearsEvents.set(false);
      gathered.stop();
      late.stop();
      forget();
    };
  }, [organizationId]);
};

/** Hears each event while the screen is there, such as the turns of a call. */
export const useLiveEvent = (hear: Listener): void => {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const listener: Listener = (event) => latest.current(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
};
