// Ctrl-K: every screen and action by its name, and records by theirs.
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../components/dialog.js';
import { appStrings as strings } from '../strings/app.js';
import { navigationEntries, paletteActions } from './areas.js';
import { useFound } from './palette-records.js';

const groupClass =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-soft';
const itemClass =
  'flex items-center gap-2.5 rounded px-2.5 py-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent';

const Group = ({ heading, children }: { readonly heading: string; readonly children: ReactNode }) => (
  <Command.Group heading={heading} className={groupClass}>
    {children}
  </Command.Group>
);

export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { groups, isAsking } = useFound(typed);
  const go = (to: string, search?: Readonly<Record<string, string>>): void => {
    onClose();
    void navigate({ to, ...(search === undefined ? {} : { search: search as never }) }); // as the screen of the record reads it
  };
  const count = groups.reduce((sum, { records }) => sum + records.length, 0);
  return (
    <Dialog open onClose={onClose} title={strings.palette}>
      <Command label={strings.palette} className="flex flex-col gap-2">
        <Command.Input
          placeholder={strings.palettePlaceholder}
          className="input"
          value={typed}
          onValueChange={setTyped}
        />
        <p role="status" className="px-2.5 text-xs text-ink-soft empty:hidden">
          {isAsking ? strings.paletteAsking : count > 0 ? strings.paletteFound(count) : ''}
        </p>
        <Command.List className="max-h-80 overflow-y-auto">
          <Command.Empty className="px-2.5 py-4 text-ink-soft">{strings.paletteEmpty}</Command.Empty>
          <Group heading={strings.screens}>
            {navigationEntries().map(({ to, label, icon: Icon }) => (
              <Command.Item key={to} value={label} onSelect={() => go(to)} className={itemClass}>
                <Icon aria-hidden className="size-4" />
                {label}
              </Command.Item>
            ))}
          </Group>
          {paletteActions().length > 0 && (
            <Group heading={strings.actions}>
              {paletteActions().map(({ to, label }) => (
                <Command.Item key={to} value={label} onSelect={() => go(to)} className={itemClass}>
                  {label}
                </Command.Item>
              ))}
            </Group>
          )}
          {groups.map(({ heading, records }) => (
            <Group key={heading} heading={heading}>
              {records.map(({ id, label, remark, to, search }) => (
                <Command.Item
                  key={id}
                  // Found already: the words that were typed let the list keep the line.
                  value={`${heading} ${id}`}
                  keywords={[typed, label]}
                  onSelect={() => go(to, search)}
                  className={itemClass}
                >
                  <bdi className="min-w-0 truncate">{label}</bdi>
                  {remark !== undefined && (
                    <bdi className="min-w-0 truncate text-xs text-ink-soft">{remark}</bdi>
                  )}
                </Command.Item>
              ))}
            </Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
};
