// A dialog over the page. The focus stays inside. Escape and the browser's back button close the dialog, and the focus goes back to where
// it was.
import * as Radix from '@radix-ui/react-dialog';
import { useBlocker } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { componentStrings as strings } from '../strings/components.js';
import { IconButton } from './button.js';
import { cx } from './cx.js';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly wide?: boolean;
  /** False: neither Escape nor a click beside it closes the dialog. */
  readonly closable?: boolean;
  /** Shows something that is shown once: the browser asks before it leaves the page. */
  readonly isOnce?: boolean;
  /** The address of the page opens the dialog, so the browser's own history closes it. */
  readonly hasAddress?: boolean;
}

const isOfBrowser = (action: string): boolean => ['BACK', 'FORWARD', 'GO'].includes(action);

export const Dialog = ({
  open,
  onClose,
  title,
  text,
  children,
  wide = false,
  closable = true,
  isOnce = false,
  hasAddress = false,
}: DialogProps) => {
  // The page below stays: a step back is one out of the dialog, where it may be closed.
  useBlocker({
    disabled: !open || hasAddress,
    enableBeforeUnload: open && isOnce,
    shouldBlockFn: ({ action }) => {
      if (!isOfBrowser(action)) return false;
      if (closable) onClose();
      return true;
    },
  });
  const keep = (event: Event): void => {
    if (!closable) event.preventDefault();
  };
  const content = useRef<HTMLDivElement>(null);
  /** The first field; a dialog without one is focused itself, so that its title is read out and no key does harm. */
  const focusFirst = (event: Event): void => {
    event.preventDefault();
    const field = content.current?.querySelector<HTMLElement>(
      'input:enabled, select:enabled, textarea:enabled',
    );
    (field ?? content.current)?.focus();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closable && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          ref={content}
          onOpenAutoFocus={focusFirst}
          onEscapeKeyDown={keep}
          onPointerDownOutside={keep}
          onInteractOutside={keep}
          {...(text === undefined ? { 'aria-describedby': undefined } : {})}
          className={cx(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-2xl',
            wide ? 'max-w-3xl' : 'max-w-md',
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {text !== undefined && (
                <Radix.Description className="mt-1 text-ink-soft">{text}</Radix.Description>
              )}
            </div>
            {closable && (
              <Radix.Close asChild>
                <IconButton
                  name={strings.close}
                  icon={<X aria-hidden className="size-4" />}
                  className="-m-1"
                />
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2">{children}</div>
);
