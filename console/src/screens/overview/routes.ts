import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { filterWords } from '../../strings/filter-words.js';
import { screenNames } from '../../strings/screen-names.js';

export type Range = keyof typeof filterWords.overview.ranges;

const isRange = (value: unknown): value is Range =>
  typeof value === 'string' && Object.hasOwn(filterWords.overview.ranges, value);

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    validateSearch: ({ range }: Record<string, unknown>): { range?: Range } =>
      isRange(range) ? { range } : {},
    component: lazyRouteComponent(() => import('./overview-screen.js'), 'OverviewScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/', label: screenNames.overview.title, area: 'work', icon: LayoutDashboard, order: 0 },
];
