// The frame of screens behind the sign-in: navigation by area, organization, account.
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button, IconButton } from '../components/button.js';
import { cx } from '../components/cx.js';
import { TimeZone } from '../components/values.js';
import { useLive } from '../data/live/live.js';
import { useStore } from '../data/store.js';
import { appStrings as strings } from '../strings/app.js';
import { AccountMenu, OrganizationMenu } from './account-menu.js';
import { type Area, navigationEntries } from './areas.js';
import { Mark } from './mark.js';
import { OtherTabs } from './other-tabs.js';
import { Refusals } from './permission.js';
import { useSession, useTimeZone } from './session.js';
import { SessionDialog } from './session-dialog.js';
import { shortcutsAreShown } from './shortcuts-shown.js';
import { Unverified } from './unverified.js';

const Palette = lazy(async () => ({ default: (await import('./palette.js')).Palette }));

const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.js')).Shortcuts }));

const contentId = 'content';

const AreaLinks = ({ area, onGo }: { readonly area: Area; readonly onGo: () => void }) => {
  const entries = navigationEntries().filter((entry) => entry.area === area);
  if (entries.length === 0) return null;
  return (
    <div>
      <h2 className="px-2.5 pb-1 text-xs text-ink-soft">{strings.areas[area]}</h2>
      <ul className="flex flex-col gap-0.5">
        {entries.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              onClick={onGo}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** A letter with Ctrl, or with Command where there is such a key. A sign alone would be in the way of speech input. */
const useControlKey = (key: string, open: () => void): void => {
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== key || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, [key, open]);
};

const showShortcuts = (): void => shortcutsAreShown.set(true);
const openPalette = (set: (open: boolean) => void) => () => set(true);

export const Shell = () => {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [open] = useState(() => openPalette(setPaletteOpen));
  useControlKey('k', open);
  useControlKey('/', showShortcuts);
  const areShortcutsShown = useStore(shortcutsAreShown);
  useLive(useSession()?.activeOrganizationId);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [pathname]);
  const closeMenu = (): void => setMenuOpen(false);
  return (
    <TimeZone value={useTimeZone()}>
      <Refusals>
        <a
          href={`#${contentId}`}
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-accent-ink focus:translate-y-0"
        >
          {strings.skip}
        </a>
        <div className="flex min-h-dvh flex-col">
          <header className="sticky top-0 z-20 flex h-13 items-center gap-1 border-b border-line bg-raised px-3">
            <IconButton
              name={isMenuOpen ? strings.closeMenu : strings.menu}
              aria-expanded={isMenuOpen}
              aria-controls="areas"
              className="lg:hidden"
              icon={
                isMenuOpen ? (
                  <X aria-hidden className="size-5" />
                ) : (
                  <MenuIcon aria-hidden className="size-5" />
                )
              }
              onClick={() => setMenuOpen(!isMenuOpen)}
            />
            <Link to="/" className="flex items-center gap-2 px-1 font-semibold">
              <Mark />
              <span className="max-sm:sr-only">{strings.product}</span>
            </Link>
            <OrganizationMenu />
            <span className="ml-auto" />
            <Button kind="quiet" icon={<Search aria-hidden className="size-4" />} onClick={open}>
              <span className="max-sm:sr-only">{strings.paletteOpen}</span>
              <kbd
                aria-hidden
                className="rounded border border-line px-1 text-xs text-ink-soft max-sm:hidden"
              >
                Ctrl K
              </kbd>
            </Button>
            <AccountMenu />
          </header>
          <div className="flex flex-1">
            <nav
              id="areas"
              aria-label={strings.navigation}
              className={cx(
                'sticky top-13 z-10 flex h-[calc(100dvh-3.25rem)] w-56 shrink-0 flex-col gap-5 self-start overflow-y-auto border-r border-line bg-raised p-3',
                'max-lg:fixed max-lg:left-0 max-lg:shadow-2xl',
                !isMenuOpen && 'max-lg:hidden',
              )}
            >
              {(Object.keys(strings.areas) as Area[]).map((area) => (
                <AreaLinks key={area} area={area} onGo={closeMenu} />
              ))}
            </nav>
            <main id={contentId} tabIndex={-1} className="min-w-0 flex-1 scroll-mt-13">
              <Unverified />
              <Outlet />
            </main>
          </div>
        </div>
        <SessionDialog />
        <OtherTabs />
        {areShortcutsShown && (
          <Suspense>
            <Shortcuts />
          </Suspense>
        )}
        {isPaletteOpen && (
          <Suspense>
            <Palette onClose={() => setPaletteOpen(false)} />
          </Suspense>
        )}
      </Refusals>
    </TimeZone>
  );
};
