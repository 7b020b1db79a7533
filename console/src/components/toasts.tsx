// Short messages about what has just happened. One live region, which is there before the first message, so that it is read out.
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { createStore, useStore } from '../data/store.js';
import { componentStrings as strings } from '../strings/components.js';
import { IconButton } from './button.js';
import { factsOf, quoteOf } from './error-facts.js';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** Code and request of a failure, to quote. */
  readonly quote?: string;
}

const toasts = createStore<readonly Toast[]>([]);
const shownMs = 6_000;
const most = 3;
let count = 0;

const show = (toast: Omit<Toast, 'id'>): void => {
  count += 1;
  toasts.set([...toasts.get(), { id: count, ...toast }].slice(-most));
};
const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Tells that something was done. A failure stays where it happened; `failure` is for those that have no place. */
export const toast = {
  done: (text: string): void => show({ tone: 'good', text }),
  failed: (text: string): void => show({ tone: 'bad', text }),
  failure: (error: unknown): void => {
    const facts = factsOf(error);
    const quote = quoteOf(facts);
    show({ tone: 'bad', text: facts.text, ...(quote === '' ? {} : { quote }) });
  },
} as const;

const One = ({ toast: { id, tone, text, quote } }: { readonly toast: Toast }) => {
  useEffect(() => {
    // A failure stays until the person has read it.
    if (tone === 'bad') return;
    const timer = setTimeout(() => dismiss(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, tone]);
  const Icon = tone === 'good' ? CircleCheck : CircleAlert;
  return (
    <div className="pointer-events-auto flex items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 shadow-xl">
      <Icon aria-hidden className={tone === 'good' ? 'size-4 text-ok' : 'size-4 text-danger'} />
      <p className="min-w-0">
        {text}
        {quote !== undefined && (
          <span className="block font-mono text-xs break-words text-ink-soft">{quote}</span>
        )}
      </p>
      <IconButton
        name={strings.dismiss}
        icon={<X aria-hidden className="size-4" />}
        onClick={() => dismiss(id)}
        className="size-7"
      />
    </div>
  );
};

export const Toasts = () => (
  <section
    role="log"
    aria-live="polite"
    aria-label={strings.notifications}
    className="pointer-events-none fixed right-4 bottom-4 z-50 flex max-w-[calc(100vw-2rem)] flex-col items-end gap-2"
  >
    {useStore(toasts).map((one) => (
      <One key={one.id} toast={one} />
    ))}
  </section>
);
