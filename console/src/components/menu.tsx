// A menu of actions behind a button.
import * as Radix from '@radix-ui/react-dropdown-menu';
import { Ellipsis, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Wish } from '../data/commands.js';
import { componentStrings as strings } from '../strings/components.js';
import { IconButton } from './button.js';
import { copyAsCurl } from './copy-as-curl.js';
import { cx } from './cx.js';

export interface MenuItem {
  readonly label: string;
  /** Where several items may have one label. */
  readonly id?: string;
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  /** Disabled for this reason, which stands below the label. */
  readonly reason?: string | undefined;
  readonly checked?: boolean;
  /** The request that the item sends at once, given by `sending`. The menu offers it as a command for curl too. */
  readonly wish?: Wish;
}

const curlItems = (items: readonly MenuItem[]): readonly MenuItem[] =>
  items.flatMap(({ label, wish }) =>
    wish === undefined
      ? []
      : [
          {
            label: strings.copyCurlOf(label),
            icon: <Terminal aria-hidden className={menuIcon} />,
            onSelect: () => void copyAsCurl(wish.operation, wish.parts as never), // of its operation
          },
        ],
  );

/** The size of an icon before the label of an item. */
export const menuIcon = 'mt-0.5 size-4 shrink-0';

const itemClass =
  'flex items-start gap-2 rounded px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken data-disabled:cursor-not-allowed data-disabled:text-ink-soft';

const Item = ({ item }: { readonly item: MenuItem }) => {
  const { label, onSelect, icon, danger = false, reason, checked, wish } = item;
  const inside = (
    <>
      {icon}
      <span className="min-w-0">
        {label}
        {reason !== undefined && <span className="block max-w-56 text-xs">{reason}</span>}
      </span>
      {checked === true && (
        <span className="ml-auto" aria-hidden>
          ✓
        </span>
      )}
    </>
  );
  const className = cx(itemClass, danger && reason === undefined && 'text-danger');
  const rest = {
    className,
    disabled: reason !== undefined,
    onSelect: () => onSelect(),
    'data-operation': wish?.operation,
  };
  return checked === undefined ? (
    <Radix.Item {...rest}>{inside}</Radix.Item>
  ) : (
    <Radix.CheckboxItem {...rest} checked={checked}>
      {inside}
    </Radix.CheckboxItem>
  );
};

export const Menu = ({
  trigger,
  items,
  title,
  align = 'end',
}: {
  /** One button. */
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
  readonly title?: ReactNode;
  readonly align?: 'start' | 'end';
}) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className="z-50 max-h-80 min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
      >
        {title !== undefined && (
          <Radix.Label className="px-2.5 py-1.5 text-xs text-ink-soft">{title}</Radix.Label>
        )}
        {[...items, ...curlItems(items)].map((item) => (
          <Item key={item.id ?? item.label} item={item} />
        ))}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

/** The three dots at the end of a row. @param name of the record */
export const RowMenu = ({ name, items }: { readonly name: string; readonly items: readonly MenuItem[] }) => (
  <Menu
    items={items}
    trigger={
      <IconButton name={strings.actionsFor(name)} icon={<Ellipsis aria-hidden className="size-4" />} />
    }
  />
);
