// Small signs of a state: badges, waiting, progress. A color never stands alone; the word is always there.
import type { ReactNode } from 'react';
import { componentStrings as strings } from '../strings/components.js';
import { cx } from './cx.js';

export type Tone = 'neutral' | 'good' | 'attention' | 'bad' | 'accent';

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-ink-soft',
  good: 'bg-ok-soft text-ok',
  attention: 'bg-warn-soft text-warn',
  bad: 'bg-danger-soft text-danger',
  accent: 'bg-accent-soft text-accent',
};

export const StatusBadge = ({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) => (
  <span
    className={cx(
      'inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
      tones[tone],
    )}
  >
    <span aria-hidden className="size-1.5 rounded-full bg-current" />
    {children}
  </span>
);

/** Whether something that can be switched off is in use. */
export const ActiveBadge = ({ isActive }: { readonly isActive: boolean }) => (
  <StatusBadge tone={isActive ? 'good' : 'neutral'}>
    {isActive ? strings.active : strings.inactive}
  </StatusBadge>
);

/** The shape of text that is on its way. Screen readers are told once, by `Loading`. */
export const Skeleton = ({ className = 'h-4 w-32' }: { readonly className?: string }) => (
  <span aria-hidden className={cx('inline-block animate-pulse rounded bg-sunken', className)} />
);

/** A part of the page that is on its way. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div role="status" className="flex flex-col gap-3 py-2">
    <span className="sr-only">{strings.loading}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
      <Skeleton key={line} className={line % 2 === 0 ? 'h-4 w-3/4' : 'h-4 w-1/2'} />
    ))}
  </div>
);

/** @param max the whole; `value` is a part of it */
export const Progress = ({
  name,
  value,
  max,
}: {
  readonly name: string;
  readonly value: number;
  readonly max: number;
}) => (
  <progress
    aria-label={name}
    value={value}
    max={Math.max(max, 1)}
    className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
  />
);

/** A message in the page, such as a warning above a form. */
export const Notice = ({
  tone = 'accent',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) => <div className={cx('rounded-md px-3 py-2', tones[tone])}>{children}</div>;
