// The frame of a screen: its heading, which gets the focus when somebody comes from another screen, and its actions.
import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { createStore } from '../data/store.js';

/** True once the person has gone from one screen to another; the first screen leaves the focus where the browser puts it. */
export const hasNavigated = createStore(false);

export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Parlance`;
  }, [title]);
};

export const Page = ({
  title,
  intro,
  actions,
  back,
  children,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** The list that this record is in. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (hasNavigated.get()) heading.current?.focus();
  }, []);
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-6 sm:px-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          {back !== undefined && (
            <Link to={back.to} className="link mb-1 inline-flex items-center gap-1">
              <ChevronLeft aria-hidden className="size-4" />
              {back.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
            {title}
          </h1>
          {intro !== undefined && <p className="mt-0.5 max-w-prose text-ink-soft">{intro}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
};
