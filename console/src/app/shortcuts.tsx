// The keys that the console hears, as a list.
import { Dialog } from '../components/dialog.js';
import { appStrings as strings } from '../strings/app.js';
import { shortcutsAreShown } from './shortcuts-shown.js';

export const Shortcuts = () => (
  <Dialog open onClose={() => shortcutsAreShown.set(false)} title={strings.shortcuts}>
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
      {strings.shortcutLines.map(({ keys, does }) => (
        <div key={keys} className="contents">
          <dt>
            <kbd className="rounded border border-line px-1.5 py-0.5 text-xs whitespace-nowrap">{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
