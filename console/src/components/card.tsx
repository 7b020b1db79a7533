// A part of a page with a border around it, and the things that stand in one.
import { type ReactNode, useId } from 'react';
import { cx } from './cx.js';

export const Card = ({
  title,
  actions,
  children,
  className,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) => {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={cx('rounded-lg border border-line bg-raised', className)}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className="p-4">{children}</div>
    </section>
  );
};

/** Names and values, two columns where there is room. */
export const Facts = ({
  facts,
}: {
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
}) => (
  <dl className="grid grid-cols-1 gap-x-8 gap-y-3 sm:grid-cols-2">
    {facts.map(({ name, value }) => (
      <div key={name} className="min-w-0">
        <dt className="text-xs text-ink-soft">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** A number that matters, with its name and a remark. */
export const StatTile = ({
  name,
  value,
  remark,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly remark?: ReactNode;
}) => (
  <div className="rounded-lg border border-line bg-raised px-4 py-3">
    <p className="text-xs text-ink-soft">{name}</p>
    <p className="text-2xl font-semibold tabular-nums">{value}</p>
    {remark !== undefined && <p className="text-xs text-ink-soft">{remark}</p>}
  </div>
);

/** Tells that there is nothing yet, and the next step. */
export const EmptyState = ({
  title,
  text,
  action,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: ReactNode;
}) => (
  <div
    data-empty={title}
    className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line-strong px-6 py-12 text-center"
  >
    <p className="font-semibold">{title}</p>
    {text !== undefined && <p className="max-w-prose text-ink-soft">{text}</p>}
    {action !== undefined && <div className="mt-2">{action}</div>}
  </div>
);
