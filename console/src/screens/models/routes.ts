import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Cpu } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/models',
    component: lazyRouteComponent(() => import('./models-screen.js'), 'ModelsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/models/new',
    component: lazyRouteComponent(() => import('./new-model-screen.js'), 'NewModelScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/models/$modelName',
    component: lazyRouteComponent(() => import('./model-screen.js'), 'ModelScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/models', label: screenNames.models.title, area: 'build', icon: Cpu, order: 25 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.models.create, to: '/models/new' }];
