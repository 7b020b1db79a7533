// A sentence beside a control, shown at the pointer and at the focus of the keyboard.
import * as Radix from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';

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
}) => (
  <Radix.Root>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        sideOffset={6}
        collisionPadding={8}
        className="z-50 max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-xs text-surface shadow-lg"
      >
        {text}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
