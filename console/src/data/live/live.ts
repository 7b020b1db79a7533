// Live events of the organization: they make answers stale, which the page asks again, and screens may follow single events.
import type { LiveEvent } from '@parlance/client';
import { useEffect, useRef } from 'react';
import { hearsEvents } from '../pace.js';
import { queryClient } from '../queries.js';
import { Gathered } from './gathered.js';
import { follow } from './leader.js';
import { makeStale } from './stale.js';
import { everything, isTouched, keyOf, type Touch, touchedOf } from './touched.js';

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
    const stale = new Map<string, Touch>();
    const look = (touched: readonly Touch[]): void => {
      for (const touch of touched) {
        // A tab that is not seen for hours keeps few notes: it asks for all things of a kind.
        const noted = document.hidden ? { beginning: touch.beginning } : touch;
        stale.set(keyOf(noted), noted);
      }
      forget();
      forget = whenSeen(() => {
        const all = [...stale.values()];
        stale.clear();
        void makeStale(queryClient, (key) => all.some((touch) => isTouched(touch, key)));
      });
    };
    const gathered = new Gathered(look);
    const touch = (touched: readonly Touch[]): void => {
      for (const one of touched) gathered.note(keyOf(one), one);
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
