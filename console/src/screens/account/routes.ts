import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./account-screen.js'), 'AccountScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/account', label: screenNames.account.title, area: 'account', icon: CircleUser, order: 90 },
];
