// Values in the page: moments, money, durations, ids. Each has one form everywhere.
import { Check, Copy } from 'lucide-react';
import { createContext, useContext, useEffect, useState } from 'react';
import { componentStrings as strings } from '../strings/components.js';
import { durationText, momentText, moneyText, relativeText } from '../strings/format.js';
import { IconButton } from './button.js';
import { copyText } from './copy-text.js';
import { cx } from './cx.js';
import { toast } from './toasts.js';
import { useNow } from './use-now.js';

/** The time zone in which the page shows moments: that of the organization. */
export const TimeZone = createContext('UTC');

const tickMs = 30_000;

/** A moment by its distance from now, with the exact moment beside it. @param at ISO 8601 */
export const Moment = ({
  at,
  exactOnly = false,
}: {
  readonly at: string | null | undefined;
  readonly exactOnly?: boolean;
}) => {
  const timeZone = useContext(TimeZone);
  const current = useNow(tickMs);
  if (at === null || at === undefined) return <span className="text-ink-soft">{strings.none}</span>;
  const exact = momentText(at, timeZone);
  if (exactOnly)
    return (
      <time dateTime={at} className="sm:whitespace-nowrap">
        {exact}
      </time>
    );
  return (
    <time dateTime={at} className="inline-flex flex-wrap gap-x-1.5 whitespace-nowrap">
      <span>{relativeText(Date.parse(at), current) ?? strings.now}</span>
      <span className="text-ink-soft">{exact}</span>
    </time>
  );
};

/** @param micros millionths of a unit of the currency */
export const Money = ({
  micros,
  currency,
}: {
  readonly micros: number | null;
  readonly currency: string;
}) => <span className="tabular-nums">{micros === null ? strings.none : moneyText(micros, currency)}</span>;

export const Duration = ({ ms }: { readonly ms: number | null }) => (
  <span className="tabular-nums">{ms === null ? strings.none : durationText(ms)}</span>
);

const copiedMs = 2_000;

/** Copies a text; says so for a moment, to screen readers too. */
export const CopyButton = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <>
      <IconButton
        name={strings.copyId(name)}
        icon={<Icon aria-hidden className="size-3.5" />}
        className="size-7"
        onClick={() =>
          void copyText(text).then(
            () => setCopied(true),
            () => toast.failed(strings.notCopied),
          )
        }
      />
      <span role="status" className="sr-only">
        {copied ? strings.copied : ''}
      </span>
    </>
  );
};

/** An id that can be copied whole, however short it is shown. @param name of the id, such as "call id" */
export const CopyableId = ({
  id,
  name,
  short = false,
}: {
  readonly id: string;
  readonly name: string;
  readonly short?: boolean;
}) => (
  <span className="inline-flex items-center gap-0.5">
    <code className={cx('font-mono text-xs', short && 'whitespace-nowrap')} title={id}>
      {short ? `${id.slice(0, 8)}…` : id}
    </code>
    <CopyButton text={id} name={name} />
  </span>
);
