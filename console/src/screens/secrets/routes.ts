import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { KeySquare } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/secrets',
    component: lazyRouteComponent(() => import('./secrets-screen.js'), 'SecretsScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/secrets', label: screenNames.secrets.title, area: 'build', icon: KeySquare, order: 40 },
];
