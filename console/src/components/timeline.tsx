// Events, one line each, oldest first.
import type { ReactNode } from 'react';
import { cx } from './cx.js';
import type { Tone } from './status.js';
import { Moment } from './values.js';

export interface TimelineLine {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
  readonly tone?: Tone;
  readonly remark?: ReactNode;
}

const dots: Readonly<Record<Tone, string>> = {
  neutral: 'bg-line-strong',
  good: 'bg-ok',
  attention: 'bg-warn',
  bad: 'bg-danger',
  accent: 'bg-accent',
};

export const Timeline = ({ lines }: { readonly lines: readonly TimelineLine[] }) => (
  <ol className="flex flex-col">
    {lines.map(({ id, at, text, tone = 'neutral', remark }) => (
      <li
        key={id}
        className="relative pb-4 pl-5 before:absolute before:top-3 before:bottom-0 before:left-[3px] before:w-px before:bg-line last:pb-0 last:before:hidden"
      >
        <span aria-hidden className={cx('absolute top-2 left-0 size-[7px] rounded-full', dots[tone])} />
        <p>{text}</p>
        <p className="flex flex-wrap gap-x-3 text-xs">
          <Moment at={at} />
          {remark !== undefined && <span className="text-ink-soft">{remark}</span>}
        </p>
      </li>
    ))}
  </ol>
);
