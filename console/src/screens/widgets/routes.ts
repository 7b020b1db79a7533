import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AppWindow } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export interface WidgetsSearch {
  /** Id of the agent whose widgets are shown. */
  readonly agent?: string;
}

const validateSearch = ({ agent }: Record<string, unknown>): WidgetsSearch =>
  typeof agent === 'string' && agent !== '' ? { agent } : {};

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/widgets',
    validateSearch,
    component: lazyRouteComponent(() => import('./widgets-screen.js'), 'WidgetsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/widgets/new',
    validateSearch,
    component: lazyRouteComponent(() => import('./new-widget-screen.js'), 'NewWidgetScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/widgets/$widgetId',
    component: lazyRouteComponent(() => import('./widget-screen.js'), 'WidgetScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/widgets', label: screenNames.widgets.title, area: 'build', icon: AppWindow, order: 50 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.widgets.create, to: '/widgets/new' }];
