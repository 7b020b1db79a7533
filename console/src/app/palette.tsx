// Ctrl-K: every screen and action by its name.
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog } from '../components/dialog.js';
import { appStrings as strings } from '../strings/app.js';
import { navigationEntries, paletteActions } from './areas.js';

const groupClass =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-soft';
const itemClass =
  'flex items-center gap-2.5 rounded px-2.5 py-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent';

export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const navigate = useNavigate();
  const go = (to: string): void => {
    onClose();
    void navigate({ to });
  };
  return (
    <Dialog open onClose={onClose} title={strings.palette}>
      <Command label={strings.palette} className="flex flex-col gap-2">
        <Command.Input placeholder={strings.palettePlaceholder} className="input" />
        <Command.List className="max-h-80 overflow-y-auto">
          <Command.Empty className="px-2.5 py-4 text-ink-soft">{strings.paletteEmpty}</Command.Empty>
          <Command.Group heading={strings.screens} className={groupClass}>
            {navigationEntries().map(({ to, label, icon: Icon }) => (
              <Command.Item key={to} value={label} onSelect={() => go(to)} className={itemClass}>
                <Icon aria-hidden className="size-4" />
                {label}
              </Command.Item>
            ))}
          </Command.Group>
          {paletteActions().length > 0 && (
            <Command.Group heading={strings.actions} className={groupClass}>
              {paletteActions().map(({ to, label }) => (
                <Command.Item key={to} value={label} onSelect={() => go(to)} className={itemClass}>
                  {label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
};
