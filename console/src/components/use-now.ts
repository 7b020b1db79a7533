// The present moment, for values that count on while somebody looks.
import { useEffect, useState } from 'react';
import { now } from '../data/clock.js';

/** Epoch milliseconds by the platform's clock, told anew after each tick. */
export const useNow = (tickMs: number): number => {
  const [current, setCurrent] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setCurrent(now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return current;
};
