// What happens in the organization while somebody looks: stale answers are asked again, and screens may follow single events.
import type { LiveEvent } from '@parlance/client';
import { useEffect, useRef } from 'react';
import { invalidate } from '../queries.js';
import { Gathered } from './gathered.js';
import { follow } from './leader.js';
import { everything, touchedOf } from './touched.js';

const gatherMs = 400;

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
    const gathered = new Gathered(gatherMs, (names) => {
      for (const name of names) stale.add(name);
      forget();
      forget = whenSeen(() => {
        const all = [...stale];
        stale.clear();
        void invalidate(...all);
      });
    });
    const end = follow(organizationId, (told) => {
      if (told.kind === 'reload') gathered.note(everything);
      else {
        gathered.note(touchedOf(told.event));
        for (const listener of listeners) listener(told.event);
      }
    });
    return () => {
      end();
      gathered.stop();
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
