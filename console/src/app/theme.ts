// Light, dark, or as the system says. The choice is of this browser.
import { createStore } from '../data/store.js';

export type Theme = 'system' | 'light' | 'dark';

const key = 'parlance.theme';

const isTheme = (value: unknown): value is Theme =>
  value === 'system' || value === 'light' || value === 'dark';

const readTheme = (): Theme => {
  try {
    const kept = localStorage.getItem(key);
    return isTheme(kept) ? kept : 'system';
  } catch {
    return 'system';
  }
};

const show = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

export const theme = createStore<Theme>('system');

/** Before the first drawing, so that no page flashes in the other colors. */
export const startTheme = (): void => {
  theme.set(readTheme());
  show(theme.get());
};

export const chooseTheme = (next: Theme): void => {
  theme.set(next);
  show(next);
  try {
    localStorage.setItem(key, next);
  } catch {
    // A browser that forbids storage forgets the choice.
  }
};
