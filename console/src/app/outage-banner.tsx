// Tells that the platform is away, and when it is tried again.
import { useEffect, useState } from 'react';
import { outage } from '../data/outage.js';
import { useStore } from '../data/store.js';
import { appStrings as strings } from '../strings/app.js';

const tickMs = 1_000;

export const OutageBanner = () => {
  const away = useStore(outage);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (away === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [away]);
  return (
    <div role="status" className="sticky top-0 z-30">
      {away !== undefined && (
        <p className="bg-warn-soft px-4 py-2 text-center text-warn">
          {strings.away(Math.max(0, Math.ceil((away.nextTryAt - now) / tickMs)))}
        </p>
      )}
    </div>
  );
};
