import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-screen.js'), 'SettingsScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/settings', label: screenNames.settings.title, area: 'account', icon: Settings, order: 10 },
];
