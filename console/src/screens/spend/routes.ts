import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { type RangeDays, rangeOf } from './range.js';

export interface SpendSearch {
  readonly days?: RangeDays;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/spend',
    validateSearch: ({ days }: Record<string, unknown>): SpendSearch => {
      const known = rangeOf(days);
      return known === undefined ? {} : { days: known };
    },
    component: lazyRouteComponent(() => import('./spend-screen.js'), 'SpendScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/spend', label: screenNames.spend.title, area: 'account', icon: Wallet, order: 30 },
];
