// A sentence beside a control, shown at the pointer and at the focus of the keyboard.
import * as Radix from '@radix-ui/react-tooltip';
import { type ReactNode, useRef, useState } from 'react';

/** Once around the whole page. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={300}>{children}</Radix.Provider>
);

export const Tooltip = ({
  text,
  children,
}: {
  readonly text: ReactNode;
  /** One element that takes a ref. */
  readonly children: ReactNode;
}) => {
  const trigger = useRef<HTMLButtonElement>(null);
  const isDismissed = useRef(false);
  const [isOpen, setIsOpen] = useState(false);
  // Radix closes at every scroll, also at the one by which the browser brings a focused control into view.
  const isHeldByFocus = (): boolean =>
    !isDismissed.current && trigger.current?.matches(':focus-visible, :has(:focus-visible)') === true;
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open || isHeldByFocus());
        isDismissed.current = false;
      }}
    >
      <Radix.Trigger ref={trigger} asChild>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={() => {
            isDismissed.current = true;
          }}
          className="z-50 max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-xs text-surface shadow-lg"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
