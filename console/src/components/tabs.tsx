// Parts of one record side by side. The chosen one belongs into the address, so that it can be sent and comes back on "back".
import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export const Tabs = ({
  label,
  tabs,
  value,
  onChange,
}: {
  /** Name of the whole that the tabs are parts of, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}) => (
  <Radix.Root value={value} onValueChange={onChange} className="flex flex-col gap-4">
    <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.id}
          value={tab.id}
          className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-accent"
        >
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map((tab) => (
      <Radix.Content key={tab.id} value={tab.id} className="flex flex-col gap-4">
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
