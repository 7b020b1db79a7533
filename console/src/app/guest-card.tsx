// A card before the sign-in, with its heading.
import { type ReactNode, useEffect, useRef } from 'react';
import { hasNavigated, useTitle } from '../components/page.js';

export const GuestCard = ({
  title,
  intro,
  children,
  below,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children?: ReactNode;
  /** Links to other ways in. */
  readonly below?: ReactNode;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (hasNavigated.get()) heading.current?.focus();
  }, []);
  return (
    <div className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-6 shadow-sm">
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          {title}
        </h1>
        {intro !== undefined && <div className="mt-1 text-ink-soft">{intro}</div>}
      </div>
      {children}
      {below !== undefined && <div className="flex flex-col gap-1.5 border-t border-line pt-4">{below}</div>}
    </div>
  );
};
