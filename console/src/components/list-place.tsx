// The place of somebody in a long list: a table tells it to the list, and shows that new rows wait above.
import { ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ListFollow } from '../data/list-rest.js';
import { componentStrings as strings } from '../strings/components.js';
import { Button } from './button.js';

/** Rows so far beside the window, in CSS pixels, are as good as seen. */
const aroundWindow = 500;

/** Tells a list that keeps its place where its reader is. */
export const usePlace = (follow: ListFollow | undefined) => {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(follow);
  latest.current = follow;
  const isFollowed = follow !== undefined;
  useEffect(() => {
    if (!isFollowed) return;
    const rowsNear = (): ReadonlySet<string> => {
      const drawn = [...(frame.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])];
      const near = drawn.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > -aroundWindow && top < window.innerHeight + aroundWindow;
      });
      return new Set(near.map(({ dataset }) => dataset.row ?? ''));
    };
    const moved = (): void => latest.current?.moved();
    latest.current?.tellPlace({
      shown: rowsNear,
      isAway: () => (frame.current?.getBoundingClientRect().top ?? 0) < 0,
    });
    moved();
    window.addEventListener('scroll', moved, { passive: true });
    return () => {
      window.removeEventListener('scroll', moved);
      latest.current?.tellPlace(undefined);
    };
  }, [isFollowed]);
  return frame;
};

export const NewRows = ({ follow, onTake }: { readonly follow: ListFollow; readonly onTake: () => void }) => (
  <div role="status" className="pointer-events-none sticky top-16 z-10 flex h-0 justify-center">
    {follow.waiting > 0 && (
      <div className="pointer-events-auto mt-2 h-fit rounded-md bg-raised shadow-lg">
        <Button kind="secondary" icon={<ArrowUp aria-hidden className="size-4" />} onClick={onTake}>
          {follow.moreWait ? strings.moreNew(follow.waiting) : strings.new(follow.waiting)}
        </Button>
      </div>
    )}
  </div>
);
