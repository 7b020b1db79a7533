// The frame of screens before the sign-in: one card in the middle.
import { Outlet } from '@tanstack/react-router';
import { appStrings as strings } from '../strings/app.js';
import { Mark } from './mark.js';

export const GuestFrame = () => (
  <div className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
    <header className="flex items-center gap-2 text-lg font-semibold">
      <Mark />
      {strings.product}
    </header>
    <main className="w-full max-w-sm">
      <Outlet />
    </main>
    <footer className="text-xs text-ink-soft">
      <a className="link" href="/api/v1/docs/">
        {strings.docs}
      </a>
    </footer>
  </div>
);
