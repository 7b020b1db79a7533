// Tells that the platform is away, when it is tried again, and that nothing is lost. Once it is back, the page goes on by itself.
import { useEffect, useState } from 'react';
import { ask } from '../data/client.js';
import { noteUnreached, outage } from '../data/outage.js';
import { askFailedAgain } from '../data/queries.js';
import { useStore } from '../data/store.js';
import { appStrings as strings } from '../strings/app.js';

const tickMs = 1_000;
const probeAgainMs = 5_000;

/** Asks whether the platform is back; `watchedFetch` notes the answer. */
const probe = async (): Promise<void> => {
  try {
    await ask('health.live', {}, { retries: 0 });
  } catch {
    const away = outage.get();
    if (away !== undefined && away.nextTryAt <= performance.now())
      outage.set({ ...away, nextTryAt: performance.now() + probeAgainMs });
    return;
  }
  await askFailedAgain();
};

const sentenceOf = (kind: 'busy' | 'unreached'): ((seconds: number) => string) => {
  if (kind === 'busy') return strings.busy;
  return navigator.onLine ? strings.unreached : strings.offline;
};

export const OutageBanner = () => {
  const away = useStore(outage);
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    addEventListener('offline', noteUnreached);
    return () => removeEventListener('offline', noteUnreached);
  }, []);
  useEffect(() => {
    if (away === undefined) return;
    setNow(performance.now());
    const ticking = setInterval(() => setNow(performance.now()), tickMs);
    const trying = setTimeout(() => void probe(), Math.max(0, away.nextTryAt - performance.now()));
    const soon = (): void => void probe();
    addEventListener('online', soon);
    return () => {
      clearInterval(ticking);
      clearTimeout(trying);
      removeEventListener('online', soon);
    };
  }, [away]);
  return (
    <div role="status" className="sticky top-0 z-30">
      {away !== undefined && (
        <p className="bg-warn-soft px-4 py-2 text-center text-warn">
          {/* A screen reader hears the sentence once, and not with every second. */}
          <span className="sr-only">{sentenceOf(away.kind)(0)}</span>
          <span aria-hidden>
            {sentenceOf(away.kind)(Math.max(0, Math.ceil((away.nextTryAt - now) / tickMs)))}
          </span>
        </p>
      )}
    </div>
  );
};
