import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Wrench } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { isToolTab, type ToolTab } from './tabs.js';

export interface ToolsSearch {
  /** Part of a name. */
  readonly name?: string;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/tools',
    validateSearch: ({ name }: Record<string, unknown>): ToolsSearch =>
      typeof name === 'string' && name !== '' ? { name } : {},
    component: lazyRouteComponent(() => import('./tools-screen.js'), 'ToolsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/tools/new',
    component: lazyRouteComponent(() => import('./new-tool-screen.js'), 'NewToolScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/tools/$toolId',
    validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: ToolTab } =>
      isToolTab(tab) ? { tab } : {},
    component: lazyRouteComponent(() => import('./tool-screen.js'), 'ToolScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/tools', label: screenNames.tools.title, area: 'build', icon: Wrench, order: 20 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.tools.create, to: '/tools/new' }];
