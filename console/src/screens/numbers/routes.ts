import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Phone } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { type NumberSearch, numberSearchOf } from './number-search.js';

export interface NumbersSearch {
  /** Part of a number, or of the name of its agent. */
  readonly find?: string;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/numbers',
    validateSearch: ({ find }: Record<string, unknown>): NumbersSearch =>
      find === undefined || find === '' ? {} : { find: String(find) },
    component: lazyRouteComponent(() => import('./numbers-screen.js'), 'NumbersScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/numbers/buy',
    validateSearch: (search: Record<string, unknown>): NumberSearch => numberSearchOf(search),
    component: lazyRouteComponent(() => import('./buy-number-screen.js'), 'BuyNumberScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/numbers', label: screenNames.numbers.title, area: 'build', icon: Phone, order: 30 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.numbers.buy, to: '/numbers/buy' }];
